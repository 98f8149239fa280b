package io.faasimage.registry.job;

import io.faasimage.registry.blob.WorkFiles;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.image.EngineImages;
import io.faasimage.registry.image.ImageTable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What jobs run with. */
@Configuration(proxyBeanMethods = false)
class JobConfiguration {
    /** The refactor engine, which rehearses first. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Refactoring.class)
    static class Engine {
        @Bean
        EngineRehearsal rehearsal(WorkFiles files) {
            return new EngineRehearsal(files);
        }

        @Bean
        Refactoring refactoring(
                EngineImages images, ImageTable table, EngineRehearsal rehearsal, RegistrySettings settings) {
            return new EngineRefactoring(images, table, rehearsal, settings.workers());
        }
    }
}
