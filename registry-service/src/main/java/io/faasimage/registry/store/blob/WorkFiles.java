package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.config.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;

/**
 * The directory where jobs write before their blobs are published. Remains of a killed service are removed when this
 * one starts.
 */
@Component
public final class WorkFiles {
    private final Path work;

    WorkFiles(DataDirectory data) throws IOException {
        this.work = data.work();
        FileSystemUtils.deleteRecursively(work);
        Files.createDirectories(work);
    }

    /** An empty directory for one job, in the same file system as the data directory. */
    public Path newWork(String name) throws IOException {
        Path directory = work.resolve(name);
        FileSystemUtils.deleteRecursively(directory);
        return Files.createDirectories(directory);
    }
}
