package io.faasimage.registry;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests that share one service, which they start before the first. */
public abstract class ServiceTest {
    @TempDir
    protected static Path data;

    @SuppressWarnings("NullAway.Init")
    protected static TestService service;

    @AfterAll
    static void stopService() {
        service.close();
    }
}
