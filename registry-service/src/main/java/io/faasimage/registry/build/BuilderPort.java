package io.faasimage.registry.build;

import io.faasimage.registry.config.BuildSettings;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A port of loopback for the builder that this process starts, which need not have a certificate, nor reach the address
 * of the API. It serves the requests of builders alone.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BuilderPort extends OncePerRequestFilter implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
    private static final String LOOPBACK = "127.0.0.1";

    private final Connector connector = new Connector();
    private final boolean isOpen;

    BuilderPort(BuildSettings settings) {
        this.isOpen = settings.startsBuilder();
        connector.setPort(0);
        connector.setProperty("address", LOOPBACK);
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        if (isOpen) {
            factory.addAdditionalConnectors(connector);
        }
    }

    /** The service's address for the builder. */
    URI address() {
        return URI.create("http://" + LOOPBACK + ":" + connector.getLocalPort());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean isHere = isOpen && request.getLocalPort() == connector.getLocalPort();
        String path = request.getServletPath();
        if (isHere && !path.equals("/v1/builder") && !path.startsWith("/v1/builder/")) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        chain.doFilter(request, response);
    }
}
