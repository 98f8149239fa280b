package io.faasimage.registry.job;

import io.faasimage.registry.image.EngineImages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What jobs run with. */
@Configuration(proxyBeanMethods = false)
class JobConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Refactoring refactoring(EngineImages images) {
        return new EngineRefactoring(images);
    }
}
