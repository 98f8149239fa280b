package io.faasimage.node.agent.metrics;

import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.ServiceLink;
import java.util.List;

/** The metrics of requests to the registry service. */
public final class ServiceMetrics extends Meters {
    /** Measures {@code links}, which share {@code breaker} and {@code budget}. */
    public ServiceMetrics(List<ServiceLink> links, Breaker breaker, RequestBudget budget) {
        count(
                "registry_requests",
                "requests sent to the registry service",
                () -> links.stream().mapToLong(ServiceLink::requests).sum());
        count(
                "registry_failures",
                "requests that it did not answer, or not sensibly",
                () -> links.stream().mapToLong(ServiceLink::failures).sum());
        count("registry_pauses", "times it asked for a pause", budget::pauses);
        gauge(
                "registry_refused",
                "1 while it is not asked for plans because it failed a moment ago",
                () -> breaker.refusal().isPresent() ? 1 : 0);
    }
}
