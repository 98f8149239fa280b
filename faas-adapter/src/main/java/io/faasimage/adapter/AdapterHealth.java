package io.faasimage.adapter;

import io.faasimage.adapter.config.AdapterSettings;
import io.faasimage.adapter.config.Platform;
import io.faasimage.adapter.registration.CatchUp;
import io.faasimage.adapter.registration.Registrations;
import io.faasimage.adapter.registration.TraceWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * UP; DEGRADED when functions are served but registrations wait or are lost; DOWN when the provider does not accept
 * connections. Only DOWN is answered with 503: restarting the adapter helps against nothing else.
 */
@Component
class AdapterHealth implements HealthIndicator {
    private static final int CONNECT_MILLIS = 1000;

    private final AdapterSettings settings;
    private final Registrations registrations;
    private final CatchUp catchUp;
    private final TraceWatch traces;

    AdapterHealth(AdapterSettings settings, Registrations registrations, CatchUp catchUp, TraceWatch traces) {
        this.settings = settings;
        this.registrations = registrations;
        this.catchUp = catchUp;
        this.traces = traces;
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up();
        registrations
                .trouble()
                .ifPresent(reason -> health.status(new Status("DEGRADED")).withDetail("registration", reason));
        Optional.of(catchUp)
                .filter(_ -> settings.platform() == Platform.OPENFAAS)
                .flatMap(CatchUp::trouble)
                .ifPresent(reason -> health.status(new Status("DEGRADED")).withDetail("comparison", reason));
        health.withDetail("pending", registrations.pending())
                .withDetail("lost", registrations.lost())
                .withDetail("untraced", traces.untraced());
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(settings.provider().getHost(), settings.providerPort()), CONNECT_MILLIS);
        } catch (IOException e) {
            health.down().withDetail("provider", "no connection to " + settings.provider() + ": " + e.getMessage());
        }
        return health.build();
    }
}
