package io.faasimage.adapter;

import io.faasimage.adapter.config.AdapterSettings;
import io.faasimage.adapter.config.Credentials;
import io.faasimage.adapter.config.ListenAddress;
import io.faasimage.adapter.config.Platform;
import io.faasimage.adapter.config.StartFailure;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.adapter.openwhisk.ActionObserver;
import io.faasimage.adapter.openwhisk.ControllerObserver;
import io.faasimage.adapter.proxy.ExchangeObserver;
import io.faasimage.adapter.proxy.ProviderAddress;
import io.faasimage.adapter.proxy.ProxyConfig;
import io.faasimage.adapter.proxy.ProxyServer;
import io.faasimage.adapter.registration.CatchUp;
import io.faasimage.adapter.registration.DeploymentObserver;
import io.faasimage.adapter.registration.Ledger;
import io.faasimage.adapter.registration.QueueConfig;
import io.faasimage.adapter.registration.Registrar;
import io.faasimage.adapter.registration.Registrations;
import io.faasimage.adapter.registration.TraceWatch;
import io.faasimage.adapter.warm.NodeSocket;
import io.faasimage.adapter.warm.WarmHints;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The adapter's parts. */
@Configuration(proxyBeanMethods = false)
class AdapterConfiguration {
    private static final Duration PROVIDER_PATIENCE = Duration.ofSeconds(10);
    private static final Duration NODE_LIMIT = Duration.ofSeconds(30);
    private static final int MOST_WATCHED = 10_000;

    @Bean
    Credentials credentials(AdapterSettings settings) {
        return Credentials.of(settings);
    }

    @Bean
    ProviderClient provider(AdapterSettings settings, Credentials credentials) {
        return new ProviderClient(settings.provider(), credentials.header(), settings.namespace(), PROVIDER_PATIENCE);
    }

    @Bean
    ServiceClient registry(AdapterSettings settings) {
        Credentials.registryToken(settings);
        return new ServiceClient(ServiceConfig.of(settings.registry(), () -> Credentials.registryToken(settings))
                .withTransport(settings.registryTls().transport()));
    }

    @Bean
    Ledger ledger(AdapterSettings settings) {
        try {
            return Ledger.open(settings.state());
        } catch (IOException e) {
            throw new StartFailure("--faasimage.state=" + settings.state() + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Bean
    TraceWatch traces(ProviderClient provider, ServiceClient registry, AdapterSettings settings) {
        int most = settings.platform() == Platform.OPENFAAS ? MOST_WATCHED : 0;
        return new TraceWatch(
                provider, registry, settings.registration().tracePatience(), most, InstantSource.system());
    }

    @Bean
    Registrations registrations(
            ProviderClient provider,
            ServiceClient registry,
            Ledger ledger,
            TraceWatch watch,
            AdapterSettings settings) {
        AdapterSettings.Registration limits = settings.registration();
        QueueConfig config = new QueueConfig(
                limits.capacity(), limits.workers(), limits.attempts(), limits.firstPause(), limits.longestPause());
        return new Registrations(config, new Registrar(provider, registry, ledger, watch));
    }

    @Bean
    CatchUp catchUp(ProviderClient provider, ServiceClient registry, Ledger ledger, Registrations registrations) {
        return new CatchUp(provider, registry, ledger, registrations);
    }

    @Bean
    WarmHints hints(ServiceClient registry, AdapterSettings settings) {
        List<WarmHints.Node> nodes = settings.nodes().stream()
                .<WarmHints.Node>map(socket -> new NodeSocket(socket, NODE_LIMIT))
                .toList();
        return new WarmHints(registry, nodes, settings.warmInterval());
    }

    @Bean
    ExchangeObserver observer(
            AdapterSettings settings, Credentials credentials, Registrations registrations, WarmHints hints) {
        return switch (settings.platform()) {
            case OPENFAAS -> new DeploymentObserver(registrations, hints, credentials::matches, settings.namespace());
            case OPENWHISK ->
                new ControllerObserver(
                        new ActionObserver(settings.openwhisk().userImagesRegistry()), registrations::offer);
        };
    }

    @Bean
    ProxyServer proxy(AdapterSettings settings, ExchangeObserver observer, ProxyMeters meters) {
        AdapterSettings.Proxy limits = settings.proxy();
        int threads = limits.threads() == 0 ? Runtime.getRuntime().availableProcessors() : limits.threads();
        ProxyConfig config = new ProxyConfig(
                ListenAddress.parse(settings.listen()),
                new ProviderAddress(settings.provider().getHost(), settings.providerPort()),
                threads,
                limits.maxClients(),
                limits.connectTimeout(),
                limits.clientIdle(),
                limits.exchangeIdle(),
                limits.drain());
        try {
            return new ProxyServer(config, observer, meters);
        } catch (IOException e) {
            throw new StartFailure(
                    e.getMessage() + "; stop the process that has it, or choose another one with"
                            + " --faasimage.listen=HOST:PORT",
                    e);
        }
    }
}
