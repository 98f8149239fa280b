package io.faasimage.node.registry;

import io.faasimage.api.BundleRequest;
import io.faasimage.api.BundleStream;
import io.faasimage.api.ChainInfo;
import io.faasimage.api.NodeReport;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryClient.ObjectContent;
import io.faasimage.api.RegistryException;
import io.faasimage.api.RuntimeInfo;
import io.faasimage.api.StartBatch;
import io.faasimage.api.StartReport;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The registry service as the node uses it: through a {@link Breaker} and a {@link RequestBudget}, with every request counted. Thread-safe; blocking
 * up to the answer's headers by the client's timeouts.
 */
public final class RegistryLink {
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);

    private final RegistryClient client;
    private final Breaker breaker;
    private final RequestBudget budget;
    private final AtomicLong requests = new AtomicLong();
    /** When it gave last what it was asked for, or was healthy. */
    private volatile @Nullable Long gaveAt;

    /** A link over {@code client}; breaker and budget are shared by all links to one registry. */
    public RegistryLink(RegistryClient client, Breaker breaker, RequestBudget budget) {
        this.client = client;
        this.breaker = breaker;
        this.budget = budget;
    }

    /** Opens a bundle stream; empty when the registry knows no such plan or chain. The caller closes it. */
    public Optional<BundleStream> bundle(BundleRequest request) throws IOException {
        return ask(() -> client.bundle(request));
    }

    /** Opens one object; empty when the registry does not have it. The caller closes it. */
    public Optional<ObjectContent> object(Digest digest) throws IOException {
        return ask(() -> client.object(digest));
    }

    /** What the registry knows of a chain ID; empty when nothing. */
    public Optional<ChainInfo> chain(ChainId chain) throws IOException {
        return ask(() -> client.chain(chain)).flatMap(info -> info);
    }

    /** Adds an encoded trace at the registry; false when it knows no such image. */
    public boolean postTrace(byte[] encoded) throws IOException {
        return ask(() -> client.postTrace(encoded)).isPresent();
    }

    /** Tells of a start; false when the registry knows no such image. */
    public boolean postStart(StartReport report) throws IOException {
        return ask(() -> {
                    client.postStart(report);
                    return true;
                })
                .isPresent();
    }

    /** Tells of starts; false when the registry is too old to take them. */
    public boolean postStarts(String node, StartBatch starts) throws IOException {
        return ask(() -> client.postStarts(node, starts)).isPresent();
    }

    /** Tells of this node; a registry that is too old to take it does not mind. */
    public void putNode(String node, NodeReport report) throws IOException {
        ask(() -> {
            client.putNode(node, report);
            return true;
        });
    }

    /** The newest plan with a language runtime; empty when no planned image has it. */
    public Optional<RuntimeInfo> runtime(String name) throws IOException {
        return ask(() -> client.runtime(name));
    }

    /**
     * Whether the service serves requests now, be it without its store of blobs; asked whatever the breaker says, and the breaker learns
     * from it.
     */
    public boolean reachable() {
        boolean serving = client.serving();
        if (serving) {
            breaker.succeeded();
        } else {
            breaker.failed("the health check of " + client.base() + " failed");
        }
        return serving;
    }

    /**
     * Whether anything that it has can be expected of it: it gave something within the last {@code span}, or is healthy now, its store of
     * blobs included.
     */
    public boolean givesWithin(Duration span) {
        if (refusal().isPresent()) {
            return false;
        }
        Long last = gaveAt;
        if (last != null && System.nanoTime() - last < span.toNanos()) {
            return true;
        }
        // The breaker learns whether it serves, not whether it is healthy.
        boolean healthy = reachable() && client.healthy();
        if (healthy) {
            gave();
        }
        return healthy;
    }

    private void gave() {
        gaveAt = System.nanoTime();
        breaker.succeeded();
    }

    /** Why requests are refused without being sent; empty in the normal course. */
    public Optional<String> refusal() {
        return breaker.refusal();
    }

    /** A stream that broke while it was read counts as a failure as well. */
    public void broke(String reason) {
        breaker.failed(reason);
    }

    /** The pause that the registry asked for. */
    public RequestBudget budget() {
        return budget;
    }

    /** How many requests have been sent. */
    public long requests() {
        return requests.get();
    }

    /** Where the service is. */
    public String address() {
        return client.base().toString();
    }

    private interface Call<T> {
        T send() throws IOException;
    }

    private <T> Optional<T> ask(Call<T> call) throws IOException {
        Optional<String> refusal = breaker.refusal();
        if (refusal.isPresent()) {
            throw new RegistryDownException("not asked, because it failed a moment ago: " + refusal.get());
        }
        Optional<Duration> pause = budget.left();
        if (pause.isPresent()) {
            throw new RegistryBusyException("not asked: the registry wants no request for another "
                    + pause.get().toMillis() + " ms");
        }
        requests.incrementAndGet();
        try {
            T answer = call.send();
            gave();
            return Optional.of(answer);
        } catch (RegistryException e) {
            return refused(e);
        }
    }

    private <T> Optional<T> refused(RegistryException e) throws IOException {
        if (e.notFound()) {
            gave();
            return Optional.empty();
        }
        String reason = String.valueOf(e.getMessage());
        if (e.status() == TOO_MANY
                || (e.status() == UNAVAILABLE && e.retryAfter().isPresent())) {
            breaker.succeeded();
            budget.pause(e.retryAfter().orElse(USUAL_PAUSE));
            throw new RegistryBusyException(reason, e);
        }
        if (!e.retryable() && e.status() != 401 && e.status() != 403) {
            throw e;
        }
        breaker.failed(reason);
        throw new RegistryDownException(reason, e);
    }
}
