package io.faasimage.node.link.outbox;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue of messages of one kind for the service, as files {@code <id>.<kind>} that are kept until it accepts them,
 * also over restarts. One virtual thread delivers them, oldest first. Thread-safe.
 */
public final class Outbox implements AutoCloseable {

    private final Config config;
    private final BatchDelivery delivery;
    private final Events events;
    private final Semaphore arrived = new Semaphore(1);
    private final Thread thread;
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    /**
     * Settings.
     *
     * @param kind of the messages, a word
     * @param directory where the files are
     * @param capacity how many are kept; the oldest gives way
     * @param bytes most bytes of all that are kept; the oldest give way
     * @param batch most messages that are delivered at once
     * @param batchBytes most bytes of these, if there are several
     * @param firstRetry how long to wait after a failed delivery; doubled each time
     * @param lastRetry but no longer than this
     */
    public record Config(
            String kind,
            Path directory,
            int capacity,
            long bytes,
            int batch,
            long batchBytes,
            Duration firstRetry,
            Duration lastRetry) {
        /** Checks the bounds. */
        public Config {
            if (capacity < 1
                    || bytes < 1
                    || batch < 1
                    || batchBytes < 1
                    || !firstRetry.isPositive()
                    || lastRetry.compareTo(firstRetry) < 0) {
                throw new IllegalArgumentException("the bounds of an outbox must be positive and ordered");
            }
        }

        /** One message at a time, and no limit of bytes. */
        public Config(String kind, Path directory, int capacity, Duration firstRetry, Duration lastRetry) {
            this(kind, directory, capacity, Long.MAX_VALUE, 1, Long.MAX_VALUE, firstRetry, lastRetry);
        }

        /** The usual bounds. */
        public static Config of(String kind, Path directory, int capacity) {
            return new Config(kind, directory, capacity, Duration.ofSeconds(1), Duration.ofMinutes(1));
        }

        private String suffix() {
            return "." + kind;
        }
    }

    /** Hands a message to the service. Called by one thread at a time; blocks for a bounded time. */
    @FunctionalInterface
    public interface Delivery {
        /**
         * Delivers it, or finds that it will never be taken.
         *
         * @throws IOException when it should be tried again later
         */
        void deliver(byte[] message) throws IOException;
    }

    /** Hands several messages to the service. Called by one thread at a time; blocks for a bounded time. */
    @FunctionalInterface
    public interface BatchDelivery {
        /**
         * Delivers all, or finds that they will never be taken.
         *
         * @throws IOException when all should be tried again later
         */
        void deliver(List<byte[]> messages) throws IOException;
    }

    /** Opens the outbox and begins to deliver its messages, one by one. */
    public Outbox(Config config, Delivery delivery, Events events) throws IOException {
        this(events, config, messages -> {
            for (byte[] message : messages) {
                delivery.deliver(message);
            }
        });
    }

    /** Opens an outbox that delivers several messages at once. */
    public static Outbox batched(Config config, BatchDelivery delivery, Events events) throws IOException {
        return new Outbox(events, config, delivery);
    }

    private Outbox(Events events, Config config, BatchDelivery delivery) throws IOException {
        this.config = config;
        this.delivery = delivery;
        this.events = events;
        Files.createDirectories(config.directory());
        AtomicFile.sweep(config.directory());
        this.thread = Thread.ofVirtual().name(config.kind() + "-outbox").start(this::deliverAll);
    }

    /**
     * Keeps a message until it is delivered. Waits for the disk.
     *
     * @param about names it in a log when it cannot be kept
     */
    public void put(String about, byte[] message) {
        String name = String.format(
                Locale.ROOT,
                "%013d-%s",
                System.currentTimeMillis(),
                UUID.randomUUID().toString());
        try {
            AtomicFile.publishSynced(config.directory().resolve(name + config.suffix()), out -> out.write(message));
            makeRoom();
        } catch (IOException e) {
            events.error(
                    config.kind(),
                    "could not keep the " + config.kind() + " of " + about + " for delivery: " + Events.reason(e));
        }
        arrived.release();
    }

    private void makeRoom() throws IOException {
        List<Path> files = pending();
        long bytes = 0;
        int kept = 0;
        while (kept < Math.min(files.size(), config.capacity())) {
            bytes += size(files.get(files.size() - 1 - kept));
            if (bytes > config.bytes() && kept > 0) {
                break;
            }
            kept++;
        }
        for (Path oldest : files.subList(0, files.size() - kept)) {
            if (Files.deleteIfExists(oldest)) {
                dropped.incrementAndGet();
                events.error(
                        config.kind(),
                        "dropped the oldest of more than " + config.capacity() + " messages, or " + config.bytes()
                                + " bytes, that are not delivered");
            }
        }
    }

    /** Nothing for a file that was delivered meanwhile. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** How many gave way to newer ones since this outbox was opened. */
    public long dropped() {
        return dropped.get();
    }

    /** The files that are not delivered yet, oldest first. */
    public List<Path> pending() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(config.directory(), "*" + config.suffix())) {
            found.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    private void deliverAll() {
        Backoff backoff = new Backoff(config.firstRetry(), config.lastRetry(), new SplittableRandom());
        boolean all = true;
        try {
            while (!closed) {
                if (all) {
                    arrived.acquire();
                    backoff.reset();
                } else {
                    // A new message does not shorten the pause: it would be a request, and an event, for each start.
                    Thread.sleep(backoff.next());
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
            List<Path> files = pending();
            while (!files.isEmpty()) {
                files = files.subList(deliver(files), files.size());
            }
            return true;
        } catch (IOException | RuntimeException e) {
            events.fallback(config.kind(), "could not be delivered and is kept: " + Events.reason(e));
            return false;
        }
    }

    /** Delivers a batch from the beginning of the list; returns its number of files. */
    private int deliver(List<Path> files) throws IOException {
        List<byte[]> messages = new ArrayList<>();
        long bytes = 0;
        int taken = 0;
        while (taken < files.size() && messages.size() < config.batch()) {
            bytes += size(files.get(taken));
            if (bytes > config.batchBytes() && !messages.isEmpty()) {
                break;
            }
            try {
                messages.add(Files.readAllBytes(files.get(taken)));
            } catch (NoSuchFileException e) {
                // It gave way to a newer one meanwhile.
            }
            taken++;
        }
        if (!messages.isEmpty()) {
            delivery.deliver(messages);
        }
        for (Path file : files.subList(0, taken)) {
            Files.deleteIfExists(file);
        }
        return taken;
    }

    /** Stops delivering; the next process delivers the rest. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
