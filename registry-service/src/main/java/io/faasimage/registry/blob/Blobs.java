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

/** The registry's blobs by kind. What a killed service left half-written is removed when this one starts. */
@Component
public final class Blobs {
    private final Path work;
    private final BlobDirectory packs;
    private final BlobDirectory metadata;
    private final BlobDirectory plans;
    private final BlobDirectory traces;
    private final BlobDirectory layers;

    Blobs(DataDirectory data) throws IOException {
        this.work = data.work();
        this.packs = new BlobDirectory(data.packs());
        this.metadata = new BlobDirectory(data.metadata());
        this.plans = new BlobDirectory(data.plans());
        this.traces = new BlobDirectory(data.traces());
        this.layers = new BlobDirectory(data.layers());
        for (BlobDirectory directory : new BlobDirectory[] {packs, metadata, plans, traces, layers}) {
            directory.sweep();
        }
        removeTree(work);
        Files.createDirectories(work);
    }

    /** Packs by the name that the engine gave them. */
    public BlobDirectory packs() {
        return packs;
    }

    /** Metadata images in zstd by the hex digest of their raw form. */
    public BlobDirectory metadata() {
        return metadata;
    }

    /** Encoded plans by hex digest. */
    public BlobDirectory plans() {
        return plans;
    }

    /** Encoded traces by hex digest. */
    public BlobDirectory traces() {
        return traces;
    }

    /** Indexes of layers by the hex digest of the layer as stored. */
    public BlobDirectory layers() {
        return layers;
    }

    /** An empty directory for one job, in the same file system as the blobs. */
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
