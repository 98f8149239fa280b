package io.faasimage.adapter.warm;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A best-effort queue of hints to nodes: bounded, at most one per function and interval, without retries. A function
 * without a plan is not hinted, because a node could not use it. Thread-safe.
 */
public final class WarmHints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmHints.class);
    private static final int CAPACITY = 1000;

    private final ServiceClient registry;
    private final List<Node> nodes;
    private final Duration interval;
    private final BlockingQueue<FunctionKey> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Thread worker;

    /** When each function was last hinted, oldest first, in nanoseconds of the system's timer. */
    private final Map<FunctionKey, Long> recent = BoundedMap.lastPut(10 * CAPACITY);

    /** A node agent. */
    @FunctionalInterface
    public interface Node {
        /** Begins to fetch the prefetch list of the image with this top chain; bounded in time. */
        void warm(String chain) throws IOException;
    }

    /**
     * Hints to {@code nodes}; starts.
     *
     * @param interval in which a function is hinted once
     */
    public WarmHints(ServiceClient registry, List<Node> nodes, Duration interval) {
        this.registry = registry;
        this.nodes = List.copyOf(nodes);
        this.interval = interval;
        worker = Thread.ofVirtual().name("warm-hints").start(this::work);
    }

    /** Queues a hint that a start of this function is likely; returns at once. */
    public void likely(FunctionKey key) {
        if (nodes.isEmpty() || !isDue(key)) {
            return;
        }
        if (!queue.offer(key)) {
            dropped.increment();
        }
    }

    private boolean isDue(FunctionKey key) {
        synchronized (recent) {
            long now = System.nanoTime();
            Long last = recent.get(key);
            if (last != null && now - last < interval.toNanos()) {
                return false;
            }
            recent.remove(key);
            recent.put(key, now);
            return true;
        }
    }

    private void work() {
        try {
            while (true) {
                hint(queue.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hint(FunctionKey key) {
        try {
            FunctionInfo function = registry.function(key.registeredName());
            if (function.state() != ImageState.PLANNED) {
                return;
            }
            ImageInfo image = registry.image(Digest.parse(function.digest()));
            nodes.forEach(node -> hint(key, image.chains().getLast(), node));
        } catch (IOException | RuntimeException e) {
            failed(key, e);
        }
    }

    /** Hints to one node; a failure does not affect the others. */
    private void hint(FunctionKey key, String chain, Node node) {
        try {
            node.warm(chain);
            sent.increment();
        } catch (IOException | RuntimeException e) {
            failed(key, e);
        }
    }

    private void failed(FunctionKey key, Exception e) {
        failed.increment();
        LOG.warn("could not send a hint for {}: {}", key, e.getMessage());
    }

    /** Hints that nodes have taken. */
    public long sent() {
        return sent.sum();
    }

    /** Hints that found no room. */
    public long dropped() {
        return dropped.sum();
    }

    /** Hints that failed. */
    public long failed() {
        return failed.sum();
    }

    @Override
    public void close() {
        worker.interrupt();
    }
}
