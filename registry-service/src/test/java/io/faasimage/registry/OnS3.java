package io.faasimage.registry;

import io.faasimage.testing.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.util.FileSystemUtils;

/**
 * An extension that keeps the blobs of the services of a test class in a bucket of a real S3 server. Its credentials
 * are in the standard system properties meanwhile.
 */
public final class OnS3 implements BeforeAllCallback, AfterAllCallback {
    @SuppressWarnings("NullAway.Init")
    private Path home;

    @SuppressWarnings("NullAway.Init")
    private S3Server server;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        home = Files.createTempDirectory("faasimage-s3");
        server = new S3Server(home);
        System.setProperty("aws.accessKeyId", S3Server.ACCESS);
        System.setProperty("aws.secretAccessKey", S3Server.SECRET);
        server.start();
        TestService.blobs(this::settings);
    }

    /** Starts the server again. */
    public void start() throws IOException, InterruptedException {
        server.start();
    }

    /** Kills the server. */
    public void stop() throws InterruptedException {
        server.kill();
    }

    /** Where the server keeps the blobs of the service on a data directory. */
    public Path files(Path data) {
        return server.bucket().resolve(prefix(data));
    }

    /** The settings of the service on a data directory: each has a prefix of its own. */
    public Map<String, String> settings(Path data) {
        return server.settings(prefix(data));
    }

    private static String prefix(Path data) {
        return "d" + Integer.toHexString(data.hashCode());
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        TestService.blobs(data -> Map.of());
        server.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        FileSystemUtils.deleteRecursively(home);
    }
}
