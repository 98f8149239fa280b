package io.faasimage.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real S3 server with one bucket, whose objects are files below a cluster's directory. */
final class S3Server implements AutoCloseable {
    /** Of the service, which signs its requests with them. */
    static final Map<String, String> CREDENTIALS =
            Map.of("AWS_ACCESS_KEY_ID", "system", "AWS_SECRET_ACCESS_KEY", "system-test");

    private static final Duration START = Duration.ofSeconds(60);

    private final Path dir;
    private final Path program = Path.of("target/s3").toAbsolutePath();
    private final int port = Ports.free();
    private @Nullable Daemon daemon;

    /** Builds it, unless that was done before; does not start it. */
    S3Server(Path dir) throws IOException, InterruptedException {
        this.dir = dir;
        Files.createDirectories(bucket());
        Shell.run("s3/build", program.toString()).ok();
    }

    /** What the bucket holds, as files. */
    Path bucket() {
        return dir.resolve("s3/bucket");
    }

    /** Options of a service that keeps its blobs here. */
    List<String> serviceOptions() {
        return List.of(
                "--faasimage.blobs.store=s3",
                "--faasimage.blobs.s3.bucket=bucket",
                "--faasimage.blobs.s3.prefix=f/",
                "--faasimage.blobs.s3.endpoint=http://127.0.0.1:" + port,
                "--faasimage.blobs.s3.path-style=true");
    }

    /** Starts it, also after {@link #kill}. */
    void start() throws IOException, InterruptedException {
        List<String> command = List.of(
                program.resolve("versitygw").toString(),
                "--quiet",
                "--port",
                "127.0.0.1:" + port,
                "posix",
                dir.resolve("s3").toString());
        daemon = Daemon.start(
                        "S3 server",
                        dir.resolve("s3.log"),
                        Map.of("ROOT_ACCESS_KEY", "system", "ROOT_SECRET_KEY", "system-test"),
                        command)
                .await(START, () -> Ports.listens(port));
    }

    void kill() throws InterruptedException {
        Optional.ofNullable(daemon).orElseThrow().kill();
    }

    /** Also when it was not started. */
    @Override
    public void close() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
    }
}
