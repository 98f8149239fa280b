package io.faasimage.node.snapshot;

import io.faasimage.node.trace.StartTracing;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The snapshotter in a process of its own, so that a test can kill it. */
final class SnapshotterProcess implements AutoCloseable {
    private static final String READY = "ready";

    private final Process process;

    private SnapshotterProcess(Process process) {
        this.process = process;
    }

    /** Starts one and waits until it serves. */
    static SnapshotterProcess start(Path root, Path socket) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SnapshotterProcess.class.getName(),
                        root.toString(),
                        socket.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = CompletableFuture.supplyAsync(() -> firstLine(output)).get(60, TimeUnit.SECONDS);
            if (!line.equals(READY)) {
                throw new IOException("the snapshotter did not start: " + line);
            }
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
        return new SnapshotterProcess(process);
    }

    /** kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private static String firstLine(BufferedReader reader) {
        try {
            return String.valueOf(reader.readLine());
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Arguments: the state directory and the socket. Serves until it is killed. */
    public static void main(String[] arguments) throws Exception {
        SnapshotterConfig config = SnapshotterConfig.of(Path.of(arguments[0]), Path.of(arguments[1]));
        new SnapshotterServer(config, new FakePlans(), StartTracing.NONE).start();
        System.out.println(READY);
        Thread.currentThread().join();
    }
}
