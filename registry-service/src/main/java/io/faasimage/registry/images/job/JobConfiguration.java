package io.faasimage.registry.images.job;

import io.faasimage.registry.images.child.ChildEngine;
import io.faasimage.registry.images.image.EngineImages;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.platform.config.ImageRegistrySettings;
import io.faasimage.registry.platform.config.RefactorSettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that jobs run with. */
@Configuration(proxyBeanMethods = false)
class JobConfiguration {
    /** The refactor engine, in processes of its own. */
    @Bean
    @ConditionalOnMissingBean(Refactoring.class)
    Refactoring refactoring(
            EngineImages images,
            ImageTable table,
            RegistrySettings settings,
            ImageRegistrySettings registries,
            RefactorSettings refactor) {
        return new ChildRefactoring(
                images,
                table,
                new ChildEngine(images.options(), registries.rules(), refactor.memory(), settings.workers()));
    }
}
