package io.faasimage.registry;

import io.faasimage.refactor.predict.ShippedProfiles;
import io.faasimage.registry.platform.config.AccessToken;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.PageSettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.span.SpanExport;
import io.faasimage.registry.platform.span.Spans;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that come from settings rather than from their own annotations. */
@Configuration(proxyBeanMethods = false)
class ServiceBeans {
    @Bean
    AccessToken accessToken(RegistrySettings settings, PageSettings pages, DataDirectory data) {
        return AccessToken.of(settings.token(), pages.viewerToken(), data);
    }

    @Bean
    Spans spans() {
        return SpanExport.fromEnvironment();
    }

    @Bean
    ShippedProfiles shippedProfiles() {
        return new ShippedProfiles();
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
