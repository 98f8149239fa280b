package io.faasimage.registry.store.blob;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.file.BoundedStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Blobs in a directory of this machine that one service has for itself: a file each, synced and moved to its name.
 * Half-written files of a killed service are removed when this one begins.
 */
public final class DirectoryBlobs implements BlobStore {
    private final Path root;

    /** Blobs below {@code root}. */
    public DirectoryBlobs(Path root) throws IOException {
        this.root = root;
        for (BlobKind kind : BlobKind.values()) {
            Files.createDirectories(folder(kind));
            AtomicFile.sweep(folder(kind));
        }
    }

    private Path folder(BlobKind kind) {
        return root.resolve(kind.folder());
    }

    private Path path(Blob blob) {
        return folder(blob.kind()).resolve(blob.name());
    }

    @Override
    public void publish(Map<Path, Blob> files) throws IOException {
        Set<BlobKind> changed = EnumSet.noneOf(BlobKind.class);
        for (Map.Entry<Path, Blob> file : files.entrySet()) {
            Files.move(file.getKey(), path(file.getValue()), StandardCopyOption.ATOMIC_MOVE);
            changed.add(file.getValue().kind());
        }
        for (BlobKind kind : changed) {
            sync(kind);
        }
    }

    @Override
    public void write(Blob blob, byte[] content) throws IOException {
        AtomicFile.publishSynced(path(blob), out -> out.write(content));
    }

    private void sync(BlobKind kind) throws IOException {
        try (FileChannel channel = FileChannel.open(folder(kind), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public byte[] read(Blob blob) throws IOException {
        return Files.readAllBytes(path(blob));
    }

    @Override
    public InputStream read(Blob blob, long offset, long length) throws IOException {
        FileChannel file = FileChannel.open(path(blob), StandardOpenOption.READ);
        try {
            return new BoundedStream(Channels.newInputStream(file.position(offset)), length);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public long size(Blob blob) throws IOException {
        return Files.size(path(blob));
    }

    @Override
    public Optional<Path> file(Blob blob) {
        return Optional.of(path(blob));
    }

    @Override
    public void delete(Blob blob) throws IOException {
        Files.deleteIfExists(path(blob));
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void check() throws IOException {
        for (BlobKind kind : BlobKind.values()) {
            if (!Files.isWritable(folder(kind))) {
                throw new IOException(folder(kind) + " cannot be written");
            }
        }
    }

    /** Nobody else writes here, and the remains of an earlier service were removed at the start. */
    @Override
    public void sweep() {
        // Nothing to do.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
