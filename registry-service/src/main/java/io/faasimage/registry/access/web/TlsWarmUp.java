package io.faasimage.registry.access.web;

import io.faasimage.api.trust.CipherWarmUp;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The warm-up of a service with HTTPS, whose first bundles would be slow otherwise. */
@Component
@ConditionalOnProperty("server.ssl.bundle")
class TlsWarmUp {
    @EventListener(ApplicationReadyEvent.class)
    void start() {
        CipherWarmUp.start();
    }
}
