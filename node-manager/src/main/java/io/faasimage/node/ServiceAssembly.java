package io.faasimage.node;

import io.faasimage.api.Closing;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.node.registry.Breaker;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.registry.RequestBudget;
import io.faasimage.node.span.StartSpans;
import io.faasimage.spans.SpanExport;
import java.io.IOException;
import java.time.Duration;

/** The connections to the service, and the spans of what they are used for. */
final class ServiceAssembly {
    /** Short enough for several attempts of one look-up. */
    private static final Duration PULL_ANSWER = Duration.ofSeconds(10);

    final StartSpans spans;
    final Breaker breaker;
    final RequestBudget budget = new RequestBudget();
    /** For what a start waits for. */
    final RegistryLink lookups;
    /** For pulls. */
    final RegistryLink bulk;
    /** For reports. */
    final RegistryLink reports;

    ServiceAssembly(NodeConfig config, Closing closing) throws IOException {
        spans = new StartSpans(closing.add(SpanExport.fromEnvironment("faasimage-node-manager")));
        breaker = new Breaker(config.breakerPause(), System::nanoTime);
        RegistryConfig service = config.registryConfig();
        lookups = link(service, closing);
        bulk = link(service.withTimeouts(config.connectTimeout(), PULL_ANSWER), closing);
        reports = link(service, closing);
    }

    private RegistryLink link(RegistryConfig config, Closing closing) {
        return new RegistryLink(closing.add(new RegistryClient(config)), breaker, budget);
    }
}
