package io.faasimage.registry;

import io.faasimage.api.span.Spans;
import io.faasimage.registry.config.AccessToken;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.spans.SpanExport;
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
        return SpanExport.fromEnvironment("faasimage-registry-service");
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
