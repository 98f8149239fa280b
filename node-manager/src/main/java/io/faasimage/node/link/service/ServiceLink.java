package io.faasimage.node.link.service;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.CatalogueList;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceClient.ObjectContent;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.start.StartBatch;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The node's link to the service: every request is counted, and obeys the {@link RequestBudget}. The outcomes of
 * requests for plans and objects reach the {@link Breaker}, which only {@link #checkThere} consults; those of reports
 * and health checks do not. Plans also come from artifacts in registries, as the {@link PlanOrigin} says. Thread-safe;
 * blocking up to the answer's headers by the client's timeouts.
 */
public final class ServiceLink {
    private static final int TOO_MANY = 429;
    private static final String NOT_ASKED = "not requested, because the service failed a moment ago: ";
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);

    private final ServiceClient client;
    private final Breaker breaker;
    private final RequestBudget budget;
    private final PlanOrigin origin;
    private volatile OtherPlans artifacts = OtherPlans.NONE;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** The evidence of a failed request against the service. */
    private enum Evidence {
        /** Much: each failure counts. */
        PLAN,
        /** Some: a single object may be damaged there, but a missing server is a missing server. */
        OBJECT,
        /** Nothing: it is only a report. */
        NONE
    }

    /** A link over {@code client}; breaker and budget are shared by all links to one registry. */
    public ServiceLink(ServiceClient client, Breaker breaker, RequestBudget budget) {
        this(client, breaker, budget, PlanOrigin.SERVICE);
    }

    /** A link that gets plans from {@code origin}; see {@link #useArtifacts}. */
    public ServiceLink(ServiceClient client, Breaker breaker, RequestBudget budget, PlanOrigin origin) {
        this.origin = origin;
        this.client = client;
        this.breaker = breaker;
        this.budget = budget;
    }

    /** Sets where plans come from beside the service, where the origin allows it. */
    public void useArtifacts(OtherPlans plans) {
        artifacts = origin == PlanOrigin.SERVICE ? OtherPlans.NONE : plans;
    }

    /** Whether there is a service. */
    public boolean hasService() {
        return origin != PlanOrigin.REGISTRY;
    }

    /** Opens a bundle stream; empty when there is no such plan or chain. The caller closes it. */
    public Optional<BundleStream> bundle(BundleRequest request) throws IOException {
        return bundle(request, List.of());
    }

    /** Opens a bundle; plan and metadata image may come as the difference to one of {@code bases}, which are here. */
    public Optional<BundleStream> bundle(BundleRequest request, List<Digest> bases) throws IOException {
        return switch (origin) {
            case SERVICE -> ask(Evidence.PLAN, () -> client.bundle(request, bases));
            case REGISTRY -> artifacts.bundle(request);
            case BOTH -> either(request, bases);
        };
    }

    private Optional<BundleStream> either(BundleRequest request, List<Digest> bases) throws IOException {
        IOException failure;
        try {
            checkService();
            Optional<BundleStream> answer = ask(Evidence.PLAN, () -> client.bundle(request, bases));
            return answer.isPresent() ? answer : artifacts.bundle(request);
        } catch (ServiceDownException | ServiceBusyException e) {
            if (isWhetherThereIsAnother(request)) {
                // The service's own plan is better, and comes back with the service.
                throw e;
            }
            failure = e;
        }
        try {
            Optional<BundleStream> answer = artifacts.bundle(request);
            if (answer.isPresent()) {
                return answer;
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        throw failure;
    }

    private static boolean isWhetherThereIsAnother(BundleRequest request) {
        return request.chain() != null && !request.planWanted();
    }

    /** Opens one object; empty when the service does not have it, or there is none. The caller closes it. */
    public Optional<ObjectContent> object(Digest digest) throws IOException {
        return hasService() ? ask(Evidence.OBJECT, () -> client.object(digest)) : Optional.empty();
    }

    /** Opens a metadata image of a plan on this node; empty when nobody has it. The caller closes it. */
    public Optional<ObjectContent> metadata(Digest image) throws IOException {
        if (origin == PlanOrigin.BOTH && breaker.refusal().isEmpty()) {
            try {
                Optional<ObjectContent> content = object(image);
                if (content.isPresent()) {
                    return content;
                }
            } catch (ServiceDownException | ServiceBusyException e) {
                Optional<ObjectContent> other = artifacts.metadata(image);
                if (other.isEmpty()) {
                    throw e;
                }
                return other;
            }
        }
        return origin == PlanOrigin.SERVICE ? object(image) : artifacts.metadata(image);
    }

    /** The service's knowledge of a chain ID; empty when it has none, or there is none. */
    public Optional<ChainInfo> chain(ChainId chain) throws IOException {
        if (!hasService()) {
            return Optional.empty();
        }
        if (origin == PlanOrigin.BOTH) {
            checkService();
        }
        return ask(Evidence.PLAN, () -> client.chain(chain)).flatMap(info -> info);
    }

    /** Adds an encoded trace at the service; false when it knows no such image. */
    public boolean postTrace(byte[] encoded) throws IOException {
        return ask(Evidence.NONE, () -> client.postTrace(encoded)).isPresent();
    }

    /** Reports starts; false when no service is there that takes them. */
    public boolean postStarts(String node, StartBatch starts) throws IOException {
        return report(() -> client.starts().report(node, starts)).isPresent();
    }

    /** Reports this node. */
    public void putNode(String node, NodeReport report) throws IOException {
        report(() -> {
            client.putNode(node, report);
            return true;
        });
    }

    /** The newest plan with a language runtime; empty when no planned image has it. */
    public Optional<RuntimeInfo> runtime(String name) throws IOException {
        return ask(Evidence.NONE, () -> client.runtime(name));
    }

    /**
     * The images of functions that have a plan; empty when nothing has changed since the answer with {@code tag}.
     */
    public Optional<CatalogueList> catalogue(Optional<String> tag) throws IOException {
        return report(() -> client.catalogue(tag))
                .orElseThrow(() -> new IOException("there is no catalogue at this address of the service"));
    }

    /** Whether who answers requests for plans is there now; a registry counts as there. */
    public boolean reachable() {
        return !hasService() || client.serving();
    }

    /** Why the service counts as away; empty in the normal course. */
    public Optional<String> refusal() {
        return breaker.refusal();
    }

    /**
     * Before a question that is not worth a wait for a service that is away.
     *
     * @throws ServiceDownException when the breaker is open, and nobody else could answer
     */
    public void checkThere() throws ServiceDownException {
        if (origin == PlanOrigin.SERVICE) {
            checkService();
        }
    }

    private void checkService() throws ServiceDownException {
        Optional<String> refusal = breaker.refusal();
        if (refusal.isPresent()) {
            throw new ServiceDownException(NOT_ASKED + refusal.get());
        }
    }

    /** The pause that the service requested. */
    public RequestBudget budget() {
        return budget;
    }

    /** How many requests have been sent. */
    public long requests() {
        return requests.get();
    }

    /** How many of them it did not answer, or not sensibly. */
    public long failures() {
        return failures.get();
    }

    /** Where the service is; several addresses are separated by commas. */
    public String address() {
        return hasService() ? client.addresses() : "none: plans are beside images in their registries";
    }

    private interface Call<T> {
        T send() throws IOException;
    }

    private <T> Optional<T> ask(Evidence evidence, Call<T> call) throws IOException {
        if (!hasService()) {
            throw new ServiceDownException("this node has no service: --plans registry");
        }
        Optional<Duration> pause = budget.left();
        if (pause.isPresent()) {
            throw new ServiceBusyException("not requested: the service asked for a pause of another "
                    + pause.get().toMillis() + " ms");
        }
        requests.incrementAndGet();
        try {
            T answer = call.send();
            if (evidence != Evidence.NONE) {
                breaker.succeeded();
            }
            return Optional.of(answer);
        } catch (ServiceException e) {
            if (evidence != Evidence.NONE) {
                learn(evidence, e);
            }
            return refused(e);
        }
    }

    /** As {@link #ask}; but a service that is too busy for reports still gets the requests of starts. */
    private <T> Optional<T> report(Call<T> call) throws IOException {
        return ask(Evidence.NONE, () -> {
            try {
                return call.send();
            } catch (ServiceException e) {
                if (e.status() == TOO_MANY) {
                    throw new ServiceBusyException(String.valueOf(e.getMessage()), e);
                }
                throw e;
            }
        });
    }

    private void learn(Evidence evidence, ServiceException e) {
        String reason = String.valueOf(e.getMessage());
        if (e.notFound()) {
            breaker.succeeded();
        } else if (e.notConnected()) {
            breaker.unreachable(reason);
        } else if (!isAway(e)) {
            breaker.succeeded();
        } else if (evidence == Evidence.PLAN) {
            breaker.failed(reason);
        }
    }

    private static boolean isAway(ServiceException e) {
        return e.status() != TOO_MANY && (e.retryable() || e.status() == 401 || e.status() == 403);
    }

    private <T> Optional<T> refused(ServiceException e) throws IOException {
        if (e.notFound()) {
            return Optional.empty();
        }
        String reason = String.valueOf(e.getMessage());
        if (e.status() == TOO_MANY) {
            budget.pause(e.retryAfter().orElse(USUAL_PAUSE));
            throw new ServiceBusyException(reason, e);
        }
        if (!isAway(e)) {
            throw e;
        }
        failures.incrementAndGet();
        throw new ServiceDownException(reason, e);
    }
}
