package io.faasimage.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The bytes that a network interface has received, from sysfs. */
public final class ReceivedBytes {
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final Path file;

    /** Of the interface {@code name}. */
    public ReceivedBytes(String name) {
        file = Path.of("/sys/class/net", name, "statistics/rx_bytes");
    }

    /** Bytes since the interface exists. */
    public long now() throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }

    /** Waits until nothing has come for the time {@code quiet}, {@code limit} at most. */
    public void awaitQuiet(Duration quiet, Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        long last = now();
        long since = System.nanoTime();
        while (System.nanoTime() < end && System.nanoTime() - since < quiet.toNanos()) {
            Thread.sleep(INTERVAL);
            long bytes = now();
            if (bytes != last) {
                last = bytes;
                since = System.nanoTime();
            }
        }
    }
}
