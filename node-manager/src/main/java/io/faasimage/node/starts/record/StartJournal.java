package io.faasimage.node.starts.record;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.outbox.Outbox;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Records of starts on the disk. Those of running starts are in {@code open/<id>}: the next process sends those of a
 * killed one as they are. Those of starts that are over wait in an outbox, which sends them in batches while no start
 * waits for anything. Bounded in number and bytes: the oldest give way and are counted. Thread-safe.
 */
public final class StartJournal implements AutoCloseable {
    static final String KIND = "record";
    private static final int CAPACITY = 5_000;
    private static final long MOST_BYTES = 32 << 20;
    private static final long BATCH_BYTES = 512 << 10;

    private final Path open;
    private final String node;
    private final ServiceLink link;
    private final Pulls pulls;
    private final Events events;
    private final Outbox outbox;
    private volatile boolean closing;

    /** The usual bounds below a state directory. */
    public static Outbox.Config below(Path root) {
        return new Outbox.Config(
                KIND,
                root.resolve("records"),
                CAPACITY,
                MOST_BYTES,
                StartRecord.MAX_BATCH,
                BATCH_BYTES,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1));
    }

    /** Opens the journal and begins to send its records. */
    public StartJournal(Outbox.Config config, String node, ServiceLink link, Pulls pulls, Events events)
            throws IOException {
        this.open = config.directory().resolve("open");
        this.node = node;
        this.link = link;
        this.pulls = pulls;
        this.events = events;
        Files.createDirectories(open);
        this.outbox = Outbox.batched(config, this::deliver, events);
        recover();
    }

    private void recover() throws IOException {
        AtomicFile.sweep(open);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(open)) {
            for (Path file : left) {
                outbox.put("a start that an earlier process recorded", Files.readAllBytes(file));
                Files.deleteIfExists(file);
            }
        }
    }

    /** Keeps the record of a running start. Not flushed: it only guards against the end of this process. */
    void begun(StartRecord record) {
        if (!link.hasService()) {
            return;
        }
        try {
            AtomicFile.publish(
                    open.resolve(record.id()), out -> out.write(Json.mapper().writeValueAsBytes(record)));
        } catch (IOException e) {
            events.error(KIND, "the record of a running start is only in memory: " + Events.reason(e));
        }
    }

    /** Keeps the record of a start that is over until the service has it. */
    void ended(StartRecord record) {
        if (!link.hasService()) {
            events.info(KIND, inWords(record));
            return;
        }
        outbox.put("the start " + record.id(), Json.mapper().writeValueAsBytes(record));
        try {
            Files.deleteIfExists(open.resolve(record.id()));
        } catch (IOException e) {
            events.error(KIND, "the record of a start may be sent twice: " + Events.reason(e));
        }
    }

    private static String inWords(StartRecord record) {
        return "a start of image " + (record.image() == null ? record.chain() : record.image()) + ": "
                + record.kind().name().toLowerCase(Locale.ROOT) + ", " + record.lastMicros() / 1000 + " ms, "
                + (record.bytes() == null ? 0 : record.bytes()) + " bytes"
                + (record.reason() == null ? "" : "; " + record.reason());
    }

    /** Where records wait. */
    public Outbox outbox() {
        return outbox;
    }

    /** How many wait to be sent. */
    int waiting() throws IOException {
        return outbox.pending().size();
    }

    /** How many gave way to newer ones. */
    long lost() {
        return outbox.dropped();
    }

    private void deliver(List<byte[]> messages) throws IOException {
        if (!link.hasService()) {
            events.info(KIND, messages.size() + " records of starts are dropped, as this node has no service any more");
            return;
        }
        List<StartRecord> records = new ArrayList<>();
        for (byte[] message : messages) {
            @Nullable StartRecord record = read(message);
            if (record != null) {
                records.add(record);
            }
        }
        awaitCalm();
        if (!records.isEmpty()) {
            send(records);
        }
    }

    private void awaitCalm() throws IOException {
        try {
            pulls.awaitCalm(() -> closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("the node shuts down").initCause(e);
        }
    }

    private @Nullable StartRecord read(byte[] message) {
        try {
            return Json.mapper().readValue(message, StartRecord.class);
        } catch (JacksonException e) {
            events.error(KIND, "a kept record is unreadable and is dropped: " + e.getOriginalMessage());
            return null;
        }
    }

    private void send(List<StartRecord> records) throws IOException {
        try {
            if (!link.postStarts(node, new StartBatch(records))) {
                events.info(KIND, "the service does not accept records of starts at this address");
            }
        } catch (ServiceException e) {
            // A failure that can be retried comes as another exception. A refused record must not hold up the others.
            if (records.size() == 1) {
                events.error(KIND, "the service rejected the record of a start: " + e.getMessage());
                return;
            }
            for (StartRecord record : records) {
                send(List.of(record));
            }
        }
    }

    /** Stops sending; the next process sends the rest. */
    @Override
    public void close() {
        closing = true;
        outbox.close();
    }
}
