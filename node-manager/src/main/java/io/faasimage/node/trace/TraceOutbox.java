package io.faasimage.node.trace;

import io.faasimage.format.FormatException;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Traces on their way to the registry, as files {@code <id>.trace} that are kept until it accepts them, also over
 * restarts. One virtual thread delivers them, oldest first. Thread-safe.
 */
public final class TraceOutbox implements TraceSink, AutoCloseable {
    private static final String TOPIC = "trace";
    private static final String SUFFIX = ".trace";
    private static final String TEMPORARY = ".tmp";

    private final Config config;
    private final TraceDelivery delivery;
    private final Events events;
    private final Semaphore arrived = new Semaphore(1);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Settings.
     *
     * @param directory where the files are
     * @param capacity how many are kept; the oldest gives way
     * @param firstRetry how long to wait after a failed delivery; doubled each time
     * @param lastRetry but no longer than this
     */
    public record Config(Path directory, int capacity, Duration firstRetry, Duration lastRetry) {
        /** Checks the bounds. */
        public Config {
            if (capacity < 1 || !firstRetry.isPositive() || lastRetry.compareTo(firstRetry) < 0) {
                throw new IllegalArgumentException("the bounds of the trace outbox must be positive and ordered");
            }
        }

        /** The usual settings below a state directory. */
        public static Config below(Path root) {
            return new Config(root.resolve("traces/outbox"), 256, Duration.ofSeconds(1), Duration.ofMinutes(1));
        }
    }

    /** Opens the outbox and begins to deliver what is in it. */
    public TraceOutbox(Config config, TraceDelivery delivery, Events events) throws IOException {
        this.config = config;
        this.delivery = delivery;
        this.events = events;
        Files.createDirectories(config.directory());
        sweep();
        this.thread = Thread.ofVirtual().name("trace-outbox").start(this::deliverAll);
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(config.directory(), "*" + TEMPORARY)) {
            for (Path path : left) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void traced(String key, Trace trace) {
        String name = String.format(
                Locale.ROOT,
                "%013d-%s",
                System.currentTimeMillis(),
                UUID.randomUUID().toString());
        try {
            publish(name, TraceCodec.encode(trace));
            makeRoom();
        } catch (IOException e) {
            events.error(TOPIC, "could not keep the trace of '" + key + "' for delivery: " + Events.reason(e));
        }
        arrived.release();
    }

    private void publish(String name, byte[] bytes) throws IOException {
        Path temporary = config.directory().resolve(name + TEMPORARY);
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, config.directory().resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try (FileChannel channel = FileChannel.open(config.directory(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void makeRoom() throws IOException {
        List<Path> files = pending();
        for (Path oldest : files.subList(0, Math.max(0, files.size() - config.capacity()))) {
            if (Files.deleteIfExists(oldest)) {
                events.error(TOPIC, "dropped the oldest of more than " + config.capacity() + " undelivered traces");
            }
        }
    }

    /** The files that are not delivered yet, oldest first. */
    public List<Path> pending() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(config.directory(), "*" + SUFFIX)) {
            found.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    private void deliverAll() {
        Duration wait = config.firstRetry();
        boolean all = true;
        try {
            while (!closed) {
                if (all) {
                    arrived.acquire();
                    wait = config.firstRetry();
                } else {
                    arrived.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
                    wait = wait.multipliedBy(2).compareTo(config.lastRetry()) < 0
                            ? wait.multipliedBy(2)
                            : config.lastRetry();
                }
                arrived.drainPermits();
                all = closed || deliverPending();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether nothing is left to be tried again. */
    private boolean deliverPending() {
        try {
            for (Path file : pending()) {
                deliver(file);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            events.fallback(TOPIC, "a trace could not be delivered and is kept: " + Events.reason(e));
            return false;
        }
    }

    private void deliver(Path file) throws IOException {
        try {
            Trace trace = TraceCodec.decode(Files.readAllBytes(file));
            switch (delivery.deliver(trace)) {
                case ACCEPTED -> events.info(TOPIC, "the registry has the trace of " + trace.chain());
                case REFUSED -> events.error(TOPIC, "the registry refused the trace of " + trace.chain());
            }
        } catch (FormatException e) {
            events.error(TOPIC, "the kept trace " + file + " is unreadable and is dropped: " + Events.reason(e));
        }
        Files.deleteIfExists(file);
    }

    /** Stops delivering; what is left is delivered by the next process. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
