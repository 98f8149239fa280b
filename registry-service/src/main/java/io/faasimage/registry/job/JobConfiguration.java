package io.faasimage.registry.job;

import io.faasimage.registry.blob.WorkFiles;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.image.EngineImages;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.image.PublicLayers;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that jobs run with. */
@Configuration(proxyBeanMethods = false)
class JobConfiguration {
    /** The refactor engine, which warms up first. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Refactoring.class)
    static class Engine {
        @Bean
        EngineWarmUp warmUp(WorkFiles files) {
            return new EngineWarmUp(files);
        }

        @Bean
        Refactoring refactoring(
                EngineImages images,
                ImageTable table,
                PublicLayers publicLayers,
                EngineWarmUp warmUp,
                RegistrySettings settings) {
            return new EngineRefactoring(images, table, publicLayers, warmUp, settings);
        }
    }
}
