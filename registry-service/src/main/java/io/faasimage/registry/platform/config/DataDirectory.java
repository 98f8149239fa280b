package io.faasimage.registry.platform.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of one running service: {@code registry.mv.db}, {@code packs}, {@code metadata}, {@code plans},
 * {@code traces}, {@code layers}, {@code store}, {@code cache}, {@code work}, {@code token},
 * {@code authorities.p12}, {@code plan-key.pem}, {@code plan-key.pub} and the lock that keeps a second service out.
 */
public final class DataDirectory implements AutoCloseable {
    private final Path root;
    private final FileChannel lock;

    private DataDirectory(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /**
     * Makes the directory when it is missing and takes its lock, which the process holds until it ends.
     *
     * @throws StartFailure when it cannot be written, or another service uses it
     */
    public static DataDirectory open(Path root) {
        try {
            Files.createDirectories(root);
            FileChannel channel =
                    FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartFailure("data directory " + root + " is used by another registry-service;"
                        + " stop it, or choose another one with --faasimage.data=DIR");
            }
            DataDirectory data = new DataDirectory(root, channel);
            Files.createDirectories(data.work());
            return data;
        } catch (IOException e) {
            throw new StartFailure(
                    "data directory " + root + " cannot be used (" + e
                            + "); make it writable, or choose another one with --faasimage.data=DIR",
                    e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** The directory itself. */
    public Path root() {
        return root;
    }

    /** The cache of packs and metadata images that lie in a bucket. */
    public Path blobCache() {
        return root.resolve("cache");
    }

    /** Files that jobs write before they are published; emptied at start. */
    public Path work() {
        return root.resolve("work");
    }

    /** The certificate authorities that are trusted, when the operator has some; written at start. */
    public Path trustStore() {
        return root.resolve("authorities.p12");
    }

    /** The generated private key that signs plans. */
    public Path planKey() {
        return root.resolve("plan-key.pem");
    }

    /** Its public key, for nodes. */
    public Path planPublicKey() {
        return root.resolve("plan-key.pub");
    }

    /** Where the generated token is. */
    public Path token() {
        return root.resolve("token");
    }

    /**
     * JDBC address of the embedded database; a commit is in the file when it returns. Its file channel is an
     * asynchronous one, because the ordinary one closes for all when a thread is interrupted in it.
     */
    public String jdbcUrl() {
        return "jdbc:h2:async:" + root.resolve("registry")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;WRITE_DELAY=0"
                + ";DB_CLOSE_ON_EXIT=FALSE";
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
