package io.faasimage.registry;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.IOException;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/health}. */
@RestController
class HealthController {
    private final JdbcClient jdbc;
    private final BlobStore blobs;

    HealthController(JdbcClient jdbc, BlobStore blobs) {
        this.blobs = blobs;
        this.jdbc = jdbc;
    }

    /** Reports UP when the database and the store of blobs answer. */
    @GetMapping("/v1/health")
    Map<String, String> health() {
        jdbc.sql("SELECT 1").query(Integer.class).single();
        try {
            blobs.check();
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (IOException e) {
            throw new ProblemException(ProblemKind.STORAGE, "blobs cannot be stored: " + e.getMessage(), e);
        }
        return Map.of("status", "UP");
    }
}
