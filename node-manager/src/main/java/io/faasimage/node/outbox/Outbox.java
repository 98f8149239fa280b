package io.faasimage.node.outbox;

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
import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages of one kind on their way to the registry, as files {@code <id>.<kind>} that are kept until it accepts them, also
 * over restarts. One virtual thread delivers them, oldest first. Thread-safe.
 */
public final class Outbox implements AutoCloseable {
    private static final String TEMPORARY = ".tmp";

    private final Config config;
    private final Delivery delivery;
    private final Events events;
    private final Semaphore arrived = new Semaphore(1);
    private final Thread thread;
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    /**
     * Settings.
     *
     * @param kind what they are, a word
     * @param directory where the files are
     * @param capacity how many are kept; the oldest gives way
     * @param firstRetry how long to wait after a failed delivery; doubled each time
     * @param lastRetry but no longer than this
     */
    public record Config(String kind, Path directory, int capacity, Duration firstRetry, Duration lastRetry) {
        /** Checks the bounds. */
        public Config {
            if (capacity < 1 || !firstRetry.isPositive() || lastRetry.compareTo(firstRetry) < 0) {
                throw new IllegalArgumentException("the bounds of an outbox must be positive and ordered");
            }
        }

        /** The usual bounds. */
        public static Config of(String kind, Path directory, int capacity) {
            return new Config(kind, directory, capacity, Duration.ofSeconds(1), Duration.ofMinutes(1));
        }

        private String suffix() {
            return "." + kind;
        }
    }

    /** Hands a message to the registry. Called by one thread at a time; blocks for a bounded time. */
    @FunctionalInterface
    public interface Delivery {
        /**
         * Delivers it, or finds that it will never be taken.
         *
         * @throws IOException when it should be tried again later
         */
        void deliver(byte[] message) throws IOException;
    }

    /** Opens the outbox and begins to deliver what is in it. */
    public Outbox(Config config, Delivery delivery, Events events) throws IOException {
        this.config = config;
        this.delivery = delivery;
        this.events = events;
        Files.createDirectories(config.directory());
        sweep();
        this.thread = Thread.ofVirtual().name(config.kind() + "-outbox").start(this::deliverAll);
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(config.directory(), "*" + TEMPORARY)) {
            for (Path path : left) {
                Files.deleteIfExists(path);
            }
        }
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
            publish(name, message);
            makeRoom();
        } catch (IOException e) {
            events.error(
                    config.kind(),
                    "could not keep the " + config.kind() + " of " + about + " for delivery: " + Events.reason(e));
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
            Files.move(temporary, config.directory().resolve(name + config.suffix()), StandardCopyOption.ATOMIC_MOVE);
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
                dropped.incrementAndGet();
                events.error(
                        config.kind(),
                        "dropped the oldest of more than " + config.capacity() + " that are not delivered");
            }
        }
    }

    /** How many gave way to newer ones since this process began. */
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
            events.fallback(config.kind(), "could not be delivered and is kept: " + Events.reason(e));
            return false;
        }
    }

    private void deliver(Path file) throws IOException {
        delivery.deliver(Files.readAllBytes(file));
        Files.deleteIfExists(file);
    }

    /** Stops delivering; what is left is delivered by the next process. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
