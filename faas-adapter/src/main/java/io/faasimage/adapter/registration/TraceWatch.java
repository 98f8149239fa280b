package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.ListedFunction;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.ImageState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch for the traces of deployed functions. Nodes trace the first start by themselves, so an image without a trace
 * a while after its first replica did not start through faasimage, or started before it was registered; a warning
 * reports it. Thread-safe.
 */
public final class TraceWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TraceWatch.class);
    private final ProviderClient provider;
    private final ServiceClient registry;
    private final Duration patience;
    private final int most;
    private final InstantSource clock;
    private final Map<FunctionKey, Watched> watched = new LinkedHashMap<>();
    private final Map<FunctionKey, Watched> late = new LinkedHashMap<>();
    private final AtomicInteger missed = new AtomicInteger();

    /** One registration; {@code started} is when a replica was first seen. */
    private record Watched(Object registration, Optional<Instant> started) {
        Watched() {
            this(new Object(), Optional.empty());
        }
    }

    /**
     * Reads replicas from {@code provider} and traces from {@code registry}.
     *
     * @param patience from the first replica to a trace
     * @param most functions that are watched at the same time
     */
    public TraceWatch(
            ProviderClient provider, ServiceClient registry, Duration patience, int most, InstantSource clock) {
        this.provider = provider;
        this.registry = registry;
        this.patience = patience;
        this.most = most;
        this.clock = clock;
    }

    synchronized void registered(FunctionKey key) {
        late.remove(key);
        if (watched.size() < most || watched.containsKey(key)) {
            watched.put(key, new Watched());
        }
    }

    synchronized void forget(FunctionKey key) {
        watched.remove(key);
        late.remove(key);
    }

    private synchronized Map<FunctionKey, Watched> watched() {
        return new LinkedHashMap<>(watched);
    }

    /** Checks once; a check that fails is made again the next time. */
    @Override
    public void run() {
        Map<FunctionKey, Watched> open = watched();
        Set<FunctionKey> overdue = overdue();
        if (open.isEmpty() && overdue.isEmpty()) {
            return;
        }
        try {
            Map<String, FunctionInfo> functions = new HashMap<>();
            registry.functions().forEach(function -> functions.put(function.name(), function));
            Map<FunctionKey, Integer> replicas = open.isEmpty() ? Map.of() : replicas(provider.functions());
            overdue.forEach(key -> settle(key, functions));
            open.forEach((key, was) -> look(key, was, functions, replicas.getOrDefault(key, 0)));
        } catch (IOException | RuntimeException e) {
            LOG.debug("could not check the traces of {} functions: {}", open.size(), e.getMessage());
        }
    }

    private static Map<FunctionKey, Integer> replicas(List<ListedFunction> listed) {
        Map<FunctionKey, Integer> replicas = new HashMap<>();
        listed.forEach(function -> replicas.put(function.deployment().key(), function.replicas()));
        return replicas;
    }

    private void look(FunctionKey key, Watched was, Map<String, FunctionInfo> functions, int replicas) {
        FunctionInfo function = functions.get(key.registeredName());
        if (function == null) {
            end(key, was);
        } else if (function.state() != ImageState.UNTRACED) {
            if (end(key, was)) {
                LOG.info("the start of {} has been traced; its image is {}", key, function.state());
            }
        } else if (was.started().isEmpty()) {
            if (replicas > 0) {
                started(key, was);
            }
        } else if (was.started().get().plus(patience).isBefore(clock.instant()) && overdue(key, was)) {
            LOG.warn(
                    "{} is running, but no trace of its image was recorded in {} s: it did not start through"
                            + " faasimage, or before it"
                            + " was registered. Check that its containerd namespace has the label"
                            + " containerd.io/defaults/snapshotter, and deploy it again, or run: faasimage trace {}",
                    key,
                    patience.toSeconds(),
                    function.image());
        }
    }

    /** Records the first replica, unless the function was registered anew meanwhile. */
    private synchronized void started(FunctionKey key, Watched was) {
        watched.replace(key, was, new Watched(was.registration(), Optional.of(clock.instant())));
    }

    /** Ends the watch of a registration; false when it is no longer watched. */
    private synchronized boolean end(FunctionKey key, Watched was) {
        return watched.remove(key, was);
    }

    private synchronized Set<FunctionKey> overdue() {
        return Set.copyOf(late.keySet());
    }

    /** Marks a function whose trace did not come in time; false when this registration is no longer watched. */
    private synchronized boolean overdue(FunctionKey key, Watched was) {
        if (!watched.remove(key, was)) {
            return false;
        }
        missed.incrementAndGet();
        if (late.size() < most) {
            late.put(key, was);
        }
        return true;
    }

    /** Forgets a function whose trace came late, or which is no longer registered. */
    private synchronized void settle(FunctionKey key, Map<String, FunctionInfo> functions) {
        FunctionInfo function = functions.get(key.registeredName());
        if (function == null || function.state() != ImageState.UNTRACED) {
            late.remove(key);
        }
    }

    /** Functions whose trace is awaited. */
    public synchronized int waiting() {
        return watched.size();
    }

    /** Functions that run without a trace that should have come by now. */
    public synchronized int untraced() {
        return late.size();
    }

    /** Functions of which no trace came in time, since the start. */
    public int missed() {
        return missed.get();
    }
}
