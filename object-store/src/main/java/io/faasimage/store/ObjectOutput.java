package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** One object being written, under a temporary name. Used by one thread. */
final class ObjectOutput implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Digest digest;
    private final Incoming incoming;
    private final FileChannel channel;
    private Path temp;
    private boolean published;

    ObjectOutput(Digest digest, Incoming incoming) throws StoreException {
        this.digest = digest;
        this.incoming = incoming;
        this.temp = incoming.temp();
        try {
            this.channel = FileChannel.open(temp, NEW, READ_ONLY);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Appends bytes; a failure is always one of the disk. */
    void put(ByteBuffer bytes) throws StoreException {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Publishes the object, which is complete and verified. Before that it gets a name in {@code incoming/} that
     * contains its digest and stays until a checkpoint: file systems keep the order of the two, so that after a crash
     * every object that may be damaged is found there ({@link Recovery}).
     */
    Publication publish(long bytes) throws StoreException {
        try {
            channel.close();
            Path unsynced = incoming.unsynced(digest);
            Files.move(temp, unsynced, StandardCopyOption.ATOMIC_MOVE);
            temp = unsynced;
            Files.createLink(incoming.object(digest), temp);
            published = true;
            incoming.published(digest, bytes);
            return Publication.PUBLISHED;
        } catch (FileAlreadyExistsException e) {
            return Publication.ALREADY_PRESENT;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private StoreException failed(IOException cause) {
        return StoreException.ofWrite("object " + digest, incoming.root(), cause);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!published) {
            Files.deleteIfExists(temp);
        }
    }
}
