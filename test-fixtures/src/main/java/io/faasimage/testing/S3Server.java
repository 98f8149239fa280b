package io.faasimage.testing;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real S3 server, Versity's gateway, with one bucket whose objects are files. */
public final class S3Server implements Closeable {
    /** Access key of the one user. */
    public static final String ACCESS = "test-access";

    /** Secret key of the one user. */
    public static final String SECRET = "test-secret-of-sixteen";

    /** Environment of a process that signs its requests. */
    public static final Map<String, String> CREDENTIALS =
            Map.of("AWS_ACCESS_KEY_ID", ACCESS, "AWS_SECRET_ACCESS_KEY", SECRET);

    private static final String BUCKET = "blobs";
    private static final Duration START = Duration.ofSeconds(60);

    private final Path dir;
    private final Path program;
    private final int port = Ports.free();
    private @Nullable Daemon daemon;

    /** Builds it, unless that was done before; does not start it. */
    public S3Server(Path dir) throws IOException, InterruptedException {
        this.dir = dir;
        Files.createDirectories(bucket());
        Path tests = Sources.root().resolve("src/test");
        Path target = tests.resolve("target/s3");
        this.program = target.resolve("versitygw");
        Shell.run(tests.resolve("s3/build").toString(), target.toString()).ok();
    }

    /** The bucket's objects, as files. */
    public Path bucket() {
        return dir.resolve("s3").resolve(BUCKET);
    }

    /** Settings of a service that keeps its blobs here, below {@code prefix}. */
    public Map<String, String> settings(String prefix) {
        return Map.of(
                "faasimage.blobs.store",
                "s3",
                "faasimage.blobs.s3.bucket",
                BUCKET,
                "faasimage.blobs.s3.prefix",
                prefix + "/",
                "faasimage.blobs.s3.endpoint",
                "http://127.0.0.1:" + port,
                "faasimage.blobs.s3.path-style",
                "true");
    }

    /** Starts it, also after {@link #kill}. */
    public void start() throws IOException, InterruptedException {
        daemon = Daemon.start(
                        "S3 server",
                        dir.resolve("s3.log"),
                        Map.of("ROOT_ACCESS_KEY", ACCESS, "ROOT_SECRET_KEY", SECRET),
                        List.of(
                                program.toString(),
                                "--quiet",
                                "--keep-alive",
                                "--port",
                                "127.0.0.1:" + port,
                                "posix",
                                dir.resolve("s3").toString()))
                .await(START, () -> Ports.listens(port));
    }

    /** As {@code kill -9} does. */
    public void kill() throws InterruptedException {
        Optional.ofNullable(daemon).orElseThrow().kill();
    }

    /** Ends it, if it was started. */
    @Override
    public void close() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
    }
}
