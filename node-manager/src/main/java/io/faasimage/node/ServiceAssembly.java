package io.faasimage.node;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.node.link.identity.NodeIdentity;
import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.OtherPlans;
import io.faasimage.node.link.service.PlanOrigin;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.ServiceLink;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The connections to the service. */
final class ServiceAssembly {
    /** Short enough for several attempts of one look-up. */
    private static final Duration PULL_ANSWER = Duration.ofSeconds(10);

    /** How long the service gets no requests for plans after it failed. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    final Breaker breaker;
    final RequestBudget budget = new RequestBudget();
    /** For requests that a start waits for. */
    final ServiceLink lookups;
    /** For pulls. */
    final ServiceLink bulk;
    /** For reports. */
    final ServiceLink reports;

    ServiceAssembly(NodeConfig config, DiskAssembly disk, Closing closing) throws IOException {
        breaker = new Breaker(PAUSE, System::nanoTime);
        ServiceConfig service = config.registryConfig(tokens(config, disk, closing));
        lookups = link(service, config.plans(), closing);
        bulk = link(service.withTimeouts(NodeConfig.CONNECT, PULL_ANSWER), config.plans(), closing);
        reports = link(service, config.plans(), closing);
    }

    private static Supplier<Optional<String>> tokens(NodeConfig config, DiskAssembly disk, Closing closing)
            throws IOException {
        if (config.enrolTokenFile().isEmpty()) {
            return config.token();
        }
        return closing.add(new NodeIdentity(
                        config.name(),
                        config.enrolTokenFile().get(),
                        config.identityFile(),
                        token -> new ServiceClient(config.registryConfig(() -> Optional.of(token))),
                        disk.events,
                        disk.clock))
                .start();
    }

    /** Sets where plans come from beside the service. */
    void useArtifacts(OtherPlans plans) {
        lookups.useArtifacts(plans);
        bulk.useArtifacts(plans);
    }

    private ServiceLink link(ServiceConfig config, PlanOrigin plans, Closing closing) {
        return new ServiceLink(closing.add(new ServiceClient(config)), breaker, budget, plans);
    }
}
