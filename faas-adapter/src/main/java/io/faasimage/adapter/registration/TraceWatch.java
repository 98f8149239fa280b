package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.ListedFunction;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.api.FunctionInfo;
import io.faasimage.api.ImageState;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees that a trace is taken of what was deployed: nodes trace the first start by themselves, so that an image without a trace a
 * while after its first replica was there did not start through faasimage, or before it was registered. Says so. Thread-safe.
 */
public final class TraceWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TraceWatch.class);
    private final ProviderClient provider;
    private final RegistryClient registry;
    private final Duration patience;
    private final int most;
    /** Of each watched function, when a replica was first seen, in nanoseconds of the system's timer; 0 before. */
    private final Map<FunctionKey, Long> watched = new LinkedHashMap<>();

    private final AtomicInteger untraced = new AtomicInteger();

    /**
     * Asks {@code provider} for replicas and {@code registry} for traces.
     *
     * @param patience from the first replica to a trace
     * @param most functions that are watched at the same time
     */
    public TraceWatch(ProviderClient provider, RegistryClient registry, Duration patience, int most) {
        this.provider = provider;
        this.registry = registry;
        this.patience = patience;
        this.most = most;
    }

    synchronized void registered(FunctionKey key) {
        if (watched.size() < most) {
            watched.put(key, 0L);
        }
    }

    synchronized void forget(FunctionKey key) {
        watched.remove(key);
    }

    private synchronized Map<FunctionKey, Long> watched() {
        return Map.copyOf(watched);
    }

    private synchronized void replicaSeen(FunctionKey key) {
        watched.computeIfPresent(key, (k, seen) -> seen == 0 ? System.nanoTime() : seen);
    }

    /** Looks once; what cannot be asked now is asked the next time. */
    @Override
    public void run() {
        Map<FunctionKey, Long> open = watched();
        if (open.isEmpty()) {
            return;
        }
        try {
            Map<String, FunctionInfo> functions = new HashMap<>();
            registry.functions().forEach(function -> functions.put(function.name(), function));
            Map<FunctionKey, Integer> replicas = replicas(provider.functions());
            open.forEach((key, seen) -> look(key, seen, functions, replicas.getOrDefault(key, 0)));
        } catch (IOException | RuntimeException e) {
            LOG.debug("traces of {} functions are not known now: {}", open.size(), e.getMessage());
        }
    }

    private static Map<FunctionKey, Integer> replicas(List<ListedFunction> listed) {
        Map<FunctionKey, Integer> replicas = new HashMap<>();
        listed.forEach(function -> replicas.put(function.deployment().key(), function.replicas()));
        return replicas;
    }

    private void look(FunctionKey key, long seen, Map<String, FunctionInfo> functions, int replicas) {
        FunctionInfo function = functions.get(key.registeredName());
        if (function == null) {
            forget(key);
            return;
        }
        if (replicas > 0) {
            replicaSeen(key);
        }
        if (function.state() != ImageState.UNTRACED) {
            LOG.info("the start of {} has been traced; its image is {}", key, function.state());
            forget(key);
        } else if (seen != 0 && System.nanoTime() - seen > patience.toNanos()) {
            untraced.incrementAndGet();
            LOG.warn(
                    "{} runs, but no trace of its image was taken in {} s: it did not start through faasimage, or before it"
                            + " was registered. See that its containerd namespace has the label"
                            + " containerd.io/defaults/snapshotter, and deploy it again, or run: faasimage trace {}",
                    key,
                    patience.toSeconds(),
                    function.image());
            forget(key);
        }
    }

    /** Functions whose trace is awaited. */
    public synchronized int waiting() {
        return watched.size();
    }

    /** Functions of which no trace came in time, since the start. */
    public int untraced() {
        return untraced.get();
    }
}
