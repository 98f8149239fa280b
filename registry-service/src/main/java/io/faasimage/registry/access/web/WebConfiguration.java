package io.faasimage.registry.access.web;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.registry.platform.connection.DirectHttpProtocol;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** The configuration of JSON at the edge: as in the API's client, but tolerant of spelling. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    private static final int SOCKET_BUFFER_BYTES = 128 * 1024;

    @Bean
    JsonMapper jsonMapper() {
        return Json.mapper()
                .rebuild()
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .addMixIn(BundleRequest.class, BundleRequestNames.class)
                .build();
    }

    /** Problems instead of the container's own pages. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemPages() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemReportValve.class.getName());
            }
        });
    }

    /** Bundles reach the socket without passing through Tomcat's buffers. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> directConnections() {
        return factory -> factory.setProtocol(DirectHttpProtocol.class.getName());
    }

    /**
     * A client that waits for the interim response 100 gets it when its body is read, so that a refusal comes first
     * (RFC 9110, section 10.1.1).
     */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> earlyRefusals() {
        return factory ->
                factory.addConnectorCustomizers(connector -> connector.setProperty("continueResponseTiming", "onRead"));
    }

    /** Pieces of a bundle pass from the packs' mappings through one buffer outside of the heap to the socket. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> socketBuffers() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setProperty("socket.directBuffer", "true");
            connector.setProperty("socket.appWriteBufSize", Integer.toString(SOCKET_BUFFER_BYTES));
        });
    }

    /** Other spellings of a bundle request's fields. */
    interface BundleRequestNames {
        @JsonAlias("plan_wanted")
        boolean planWanted();

        @JsonAlias("metadata_wanted")
        boolean metadataWanted();
    }
}
