package io.faasimage.registry.tenant;

import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The scope of {@link TenantScoped} beans. */
@Configuration(proxyBeanMethods = false)
class TenantConfiguration {
    @Bean
    static TenantBeans tenantBeans() {
        return new TenantBeans();
    }

    @Bean
    static CustomScopeConfigurer tenantScope(TenantBeans beans) {
        CustomScopeConfigurer configurer = new CustomScopeConfigurer();
        configurer.addScope(TenantBeans.SCOPE, beans);
        return configurer;
    }
}
