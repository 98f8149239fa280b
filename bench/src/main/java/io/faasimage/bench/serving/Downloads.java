package io.faasimage.bench.serving;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several downloads from one server at a time, each on a connection and a thread of its own. Not thread-safe. */
final class Downloads implements AutoCloseable {
    private final List<Download> connections = new ArrayList<>();
    private final ExecutorService threads;
    private final int times;
    private final long bytes;

    /** Connects {@code count} times; each round requests {@code times} times on each {@code bytes} bytes. */
    Downloads(URI server, byte[] request, int count, int times, long bytes) throws IOException {
        this.threads = Executors.newFixedThreadPool(count);
        this.times = times;
        this.bytes = bytes;
        for (int i = 0; i < count; i++) {
            connections.add(Download.connect(server, request));
        }
    }

    /** One round; its throughput in bytes per second. */
    double round() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (Download connection : connections) {
            running.add(threads.submit(() -> {
                repeat(connection);
                return null;
            }));
        }
        for (Future<?> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                throw new IOException("a download failed: " + e.getMessage(), e);
            }
        }
        return (double) bytes * times * connections.size() / (System.nanoTime() - begin) * 1e9;
    }

    private void repeat(Download connection) throws IOException {
        for (int i = 0; i < times; i++) {
            long got = connection.once();
            if (got != bytes) {
                throw new IOException("an answer has " + got + " bytes instead of " + bytes);
            }
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (Download connection : connections) {
            connection.close();
        }
    }
}
