package io.faasimage.node.cache;

import io.faasimage.api.client.ServiceException;
import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntCachesCodec;
import io.faasimage.format.id.ChainId;
import io.faasimage.node.event.Events;
import io.faasimage.node.outbox.Outbox;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.trace.StartCaches;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** The queue of learnt caches for the service, filled from the upper directories of traced starts. Thread-safe. */
public final class CacheOutbox implements StartCaches, AutoCloseable {
    private static final String TOPIC = "caches";
    private static final int CAPACITY = 16;
    private static final long BYTES = 256L << 20;

    private final String node;
    private final ServiceLink link;
    private final Events events;
    private final Consumer<ChainId> withoutCaches;
    private final Outbox outbox;

    /**
     * Opens the outbox below a state directory and begins to deliver what is in it, in the name of {@code node}.
     *
     * @param withoutCaches receives images whose start wrote nothing that can be learnt; called by the trace's thread
     */
    public CacheOutbox(Path root, String node, ServiceLink link, Consumer<ChainId> withoutCaches, Events events)
            throws IOException {
        this.withoutCaches = withoutCaches;
        this.node = node;
        this.link = link;
        this.events = events;
        Outbox.Config config = new Outbox.Config(
                TOPIC,
                root.resolve("traces/caches"),
                CAPACITY,
                BYTES,
                1,
                Long.MAX_VALUE,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1));
        this.outbox = new Outbox(config, this::deliver, events);
    }

    @Override
    public void ready(String key, ChainId chain, Path upper, Instant until) {
        try {
            Optional<LearntCaches> learnt = CacheCollector.collect(upper, chain, until);
            events.info(
                    TOPIC,
                    "the start of '" + key + "' wrote "
                            + learnt.map(caches ->
                                            caches.files().size() + " files, " + caches.bytes() + " bytes, into caches")
                                    .orElse("nothing into caches of a language runtime"));
            learnt.ifPresentOrElse(
                    caches -> outbox.put("'" + key + "'", LearntCachesCodec.encode(caches)),
                    () -> withoutCaches.accept(chain));
        } catch (IOException e) {
            withoutCaches.accept(chain);
            events.fallback(TOPIC, "no caches are learnt from the start of '" + key + "': " + Events.reason(e));
        }
    }

    private void deliver(byte[] message) throws IOException {
        try {
            link.postCaches(node, message);
            events.info(TOPIC, "the service has learnt caches of " + message.length + " bytes");
        } catch (ServiceException e) {
            // What can be tried again comes as another exception.
            events.error(TOPIC, "the service rejected learnt caches: " + e.getMessage());
        }
    }

    /** Stops delivering; what is left is delivered by the next process. */
    @Override
    public void close() {
        outbox.close();
    }
}
