package io.faasimage.registry;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the services of a test class with their blobs in a bucket of a real S3 server, Versity's gateway on a directory,
 * which is built once for all tests. Its credentials are in the standard system properties meanwhile.
 */
public final class OnS3 implements BeforeAllCallback, AfterAllCallback {
    private static final String BUCKET = "blobs";
    private static final String ACCESS = "test-access";
    private static final String SECRET = "test-secret-of-sixteen";
    private static final Duration START = Duration.ofSeconds(30);

    private final Map<String, String> more;
    private @Nullable Path home;
    private @Nullable Process server;
    private int port;

    /** With the settings that a bucket needs. */
    public OnS3() {
        this(Map.of());
    }

    /** With more settings. */
    OnS3(Map<String, String> more) {
        this.more = Map.copyOf(more);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        home = Files.createTempDirectory("faasimage-s3");
        Files.createDirectory(home.resolve(BUCKET));
        System.setProperty("aws.accessKeyId", ACCESS);
        System.setProperty("aws.secretAccessKey", SECRET);
        port = Ports.free();
        start();
        TestService.blobs(this::settings);
    }

    /** Starts the server, and waits until it answers. */
    public void start() throws IOException, InterruptedException {
        Path directory = java.util.Objects.requireNonNull(home);
        ProcessBuilder builder = new ProcessBuilder(
                program().toString(),
                "--quiet",
                "--keep-alive",
                "--port",
                "127.0.0.1:" + port,
                "posix",
                directory.toString());
        builder.environment().put("ROOT_ACCESS_KEY", ACCESS);
        builder.environment().put("ROOT_SECRET_KEY", SECRET);
        Process started = builder.redirectErrorStream(true)
                .redirectOutput(directory
                        .resolveSibling(directory.getFileName() + ".log")
                        .toFile())
                .start();
        server = started;
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (System.nanoTime() > end || !started.isAlive()) {
                throw new IOException("the S3 server did not start");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private boolean answers() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(endpoint()).toURL().openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(1000);
            return connection.getResponseCode() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills the server. */
    public void stop() throws InterruptedException {
        Process running = server;
        if (running != null) {
            running.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** Where the server keeps the blobs of the service on a data directory. */
    public Path files(Path data) {
        return java.util.Objects.requireNonNull(home).resolve(BUCKET).resolve(prefix(data));
    }

    /** The settings of the service on a data directory: each has a prefix of its own. */
    public Map<String, String> settings(Path data) {
        Map<String, String> settings = new java.util.HashMap<>(Map.of(
                "faasimage.blobs.store",
                "s3",
                "faasimage.blobs.s3.bucket",
                BUCKET,
                "faasimage.blobs.s3.prefix",
                prefix(data) + "/",
                "faasimage.blobs.s3.endpoint",
                endpoint(),
                "faasimage.blobs.s3.path-style",
                "true"));
        settings.putAll(more);
        return settings;
    }

    /** What a process needs in its environment to be let in. */
    public static Map<String, String> credentials() {
        return Map.of("AWS_ACCESS_KEY_ID", ACCESS, "AWS_SECRET_ACCESS_KEY", SECRET);
    }

    private String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    private static String prefix(Path data) {
        return "d" + Integer.toHexString(data.hashCode());
    }

    private static Path program() throws IOException, InterruptedException {
        Path sources = Path.of("..", "src", "test").toAbsolutePath().normalize();
        Path target = sources.resolve("target").resolve("s3");
        Path log = Files.createTempFile("faasimage-s3-build", ".log");
        try {
            int code = new ProcessBuilder(sources.resolve("s3").resolve("build").toString(), target.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IOException("could not build the S3 server: " + Files.readString(log));
            }
        } finally {
            Files.deleteIfExists(log);
        }
        return target.resolve("versitygw");
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        TestService.blobs(data -> Map.of());
        stop();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        if (home != null) {
            new ProcessBuilder("rm", "-rf", home.toString(), home + ".log")
                    .start()
                    .waitFor();
        }
    }
}
