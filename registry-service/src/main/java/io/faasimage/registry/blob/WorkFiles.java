package io.faasimage.registry.blob;

import io.faasimage.registry.config.DataDirectory;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Where jobs write before their blobs are published. What a killed service left there is removed when this one starts. */
@Component
public final class WorkFiles {
    private final Path work;

    WorkFiles(DataDirectory data) throws IOException {
        this.work = data.work();
        removeTree(work);
        Files.createDirectories(work);
    }

    /** An empty directory for one job, in the same file system as the data directory. */
    public Path newWork(String name) throws IOException {
        Path directory = work.resolve(name);
        removeTree(directory);
        return Files.createDirectories(directory);
    }

    /** Removes a directory and all in it, links not followed. */
    public void removeTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
