package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectWriter.Written;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One object being written, under a temporary name. When the first tier fills up or fails in the middle and there is a
 * fallback tier, the bytes written so far are copied there and the rest follows. Used by one thread.
 */
final class ObjectOutput implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ObjectOutput.class.getName());
    private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);

    private final Digest digest;
    private Optional<TierFiles> fallback;
    private TierFiles tier;
    private Path temp;
    private FileChannel channel;
    private long written;
    private boolean published;

    /** Begins an object in {@code first}, else in {@code fallback}. */
    ObjectOutput(Digest digest, TierFiles first, Optional<TierFiles> fallback) throws StoreException {
        this.digest = digest;
        this.fallback = fallback;
        this.tier = first;
        this.temp = first.temp();
        FileChannel opened;
        try {
            opened = FileChannel.open(temp, NEW, READ_ONLY);
        } catch (IOException e) {
            StoreException failure = failed(e);
            leave(failure);
            opened = create();
        }
        this.channel = opened;
    }

    /** The only failures called a failure of the store are those of the disk. */
    void put(ByteBuffer bytes) throws StoreException {
        int begin = bytes.position();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            continueInCapacityTier(failed(e));
            bytes.position(begin);
            put(bytes);
            return;
        }
        written += bytes.position() - begin;
    }

    private void continueInCapacityTier(StoreException failure) throws StoreException {
        TierFiles left = tier;
        Path leftTemp = temp;
        leave(failure);
        try (FileChannel from = channel) {
            channel = create();
            for (long at = 0; at < written; ) {
                at += from.transferTo(at, written - at, channel);
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            delete(left, leftTemp);
        }
    }

    private void leave(StoreException failure) throws StoreException {
        TierFiles other = fallback.orElseThrow(() -> failure);
        LOG.log(Level.DEBUG, "an object goes to another tier", failure);
        fallback = Optional.empty();
        tier = other;
        temp = other.temp();
    }

    private FileChannel create() throws StoreException {
        try {
            return FileChannel.open(temp, NEW, READ_ONLY);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Publishes the object, which is complete and verified. Before that it gets a name in {@code incoming/} that
     * contains its digest and stays until a checkpoint: file systems keep the order of the two, so that after a crash
     * every object that may be damaged is found there ({@link Recovery}).
     */
    Written publish(long bytes) throws StoreException {
        try {
            channel.close();
            Path unsynced = tier.unsynced(digest);
            Files.move(temp, unsynced, StandardCopyOption.ATOMIC_MOVE);
            temp = unsynced;
            Files.createLink(tier.object(digest), temp);
            published = true;
            tier.published(digest, bytes);
            return new Written(Publication.PUBLISHED, tier.tier(), bytes);
        } catch (FileAlreadyExistsException e) {
            return new Written(Publication.ALREADY_HELD, tier.tier(), bytes);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private StoreException failed(IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        if (lower.contains("no space left") || lower.contains("quota exceeded")) {
            return new StoreException(
                    Kind.FULL,
                    "no space for object " + digest + " in " + tier.root() + "; free space on that file system",
                    cause);
        }
        return new StoreException(
                Kind.FAILED, "could not write object " + digest + " into " + tier.root() + ": " + reason, cause);
    }

    private static void delete(TierFiles tier, Path temp) {
        try {
            Files.deleteIfExists(temp);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a temporary file of " + tier.root() + " stays until the store is opened again", e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!published) {
            Files.deleteIfExists(temp);
        }
    }
}
