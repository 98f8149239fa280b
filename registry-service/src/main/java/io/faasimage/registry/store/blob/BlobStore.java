package io.faasimage.registry.store.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A store of blobs. A blob is there completely, and lasting, or not at all; one that is missing is a
 * {@link java.nio.file.NoSuchFileException}, and a store that is not available a {@link BlobsDownException}.
 * Thread-safe, also for writers of the same blob, whose content is the same.
 */
public interface BlobStore extends AutoCloseable {
    /** Publishes files that are complete, synced and in the data directory's file system; they may be moved away. */
    void publish(Map<Path, Blob> files) throws IOException;

    /** Publishes a small blob. */
    void write(Blob blob, byte[] content) throws IOException;

    /** All of a small blob. */
    byte[] read(Blob blob) throws IOException;

    /**
     * A part of a blob; one that is shorter than it should be ends early. To be closed, which does not read the rest.
     */
    InputStream read(Blob blob, long offset, long length) throws IOException;

    /** The size of a blob, bytes. */
    long size(Blob blob) throws IOException;

    /**
     * A file of this machine with all of the blob, or where it would be; empty when it has to be read from the store.
     */
    Optional<Path> file(Blob blob);

    /** The file of a blob was found missing or too short: a store that has a better copy does not name it again. */
    default void discard(Blob blob) {}

    /** Removes a blob if it is there. */
    void delete(Blob blob) throws IOException;

    /** Whether services on other machines may write here, too. */
    boolean isShared();

    /** Fails when the store cannot be used now. */
    void check() throws IOException;

    /** Removes half-written files of writers that were killed; writers at work are not disturbed. */
    void sweep() throws IOException;

    /** Ends its connections. */
    @Override
    void close();
}
