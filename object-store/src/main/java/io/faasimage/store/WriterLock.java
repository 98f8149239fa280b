package io.faasimage.store;

import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/** The lock of a writer's name in a store: no two processes write under one. Ends with the process. */
final class WriterLock implements AutoCloseable {
    private static final Pattern WRITER = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

    private final FileChannel channel;

    private WriterLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Checks that {@code writer} can be the name of a directory. */
    static void check(String writer) {
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException("not a writer's name: '" + writer + "'");
        }
    }

    /** @throws StoreException of kind {@link Kind#IN_USE} when another store has it */
    static WriterLock take(Layout layout, String writer) throws IOException {
        Path file = layout.incoming.resolve(writer + ".lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new WriterLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Held by another store of this very process: answered as for any other process.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new StoreException(
                Kind.IN_USE,
                "another process uses the object store " + layout.root + " as '" + writer + "'; stop it first");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
