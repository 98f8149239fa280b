package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes objects: into a temporary file of its own, hashing on the way, then linked to its name when digest and size are
 * right. A link never replaces a file, so an object keeps the inode, and with it the page cache, that it got first,
 * whichever process was first. Thread-safe.
 *
 * <p>The system calls of one object: open, one write per buffer, close, link, unlink.
 */
final class ObjectWriter {
    private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Layout layout;
    private final Path incoming;
    private final StoreLimits limits;
    private final Scratch.Pool scratches;
    private final AtomicLong temps = new AtomicLong();

    ObjectWriter(Layout layout, Path incoming, StoreLimits limits, Scratch.Pool scratches) {
        this.layout = layout;
        this.incoming = incoming;
        this.limits = limits;
        this.scratches = scratches;
    }

    Publication write(Digest digest, long size, InputStream raw) throws IOException {
        if (size > limits.maxObjectBytes()) {
            throw tooLarge(digest);
        }
        Path temp = temp();
        Scratch scratch = scratches.take();
        try {
            try (FileChannel out = create(temp, digest)) {
                copy(digest, size, raw, out, scratch);
                checkDigest(digest, scratch.digest());
            }
            return link(temp, digest);
        } finally {
            scratches.giveBack(scratch);
            Files.deleteIfExists(temp);
        }
    }

    Publication write(Digest digest, ByteBuffer raw) throws IOException {
        if (raw.remaining() > limits.maxObjectBytes()) {
            throw tooLarge(digest);
        }
        Scratch scratch = scratches.take();
        try {
            scratch.sha256.update(raw.duplicate());
            checkDigest(digest, scratch.digest());
        } finally {
            scratches.giveBack(scratch);
        }
        Path temp = temp();
        try {
            try (FileChannel out = create(temp, digest)) {
                put(digest, raw.duplicate(), out);
            }
            return link(temp, digest);
        } finally {
            Files.deleteIfExists(temp);
        }
    }

    private void copy(Digest digest, long size, InputStream raw, FileChannel out, Scratch scratch) throws IOException {
        long most = size == ObjectStore.UNKNOWN_SIZE ? limits.maxObjectBytes() : size;
        long written = 0;
        while (true) {
            int n = raw.readNBytes(scratch.buffer, 0, scratch.buffer.length);
            if (n == 0) {
                break;
            }
            written += n;
            if (written > most) {
                throw new StoreException(
                        Kind.WRONG_CONTENT,
                        "object " + digest + " is longer than its " + most + " bytes; fetch it again");
            }
            scratch.sha256.update(scratch.buffer, 0, n);
            put(digest, ByteBuffer.wrap(scratch.buffer, 0, n), out);
        }
        if (size != ObjectStore.UNKNOWN_SIZE && written != size) {
            throw new StoreException(
                    Kind.WRONG_CONTENT,
                    "object " + digest + " ended after " + written + " of " + size + " bytes; fetch it again");
        }
    }

    /** The only failures called a failure of the store are those of the disk: a source's pass unchanged. */
    private void put(Digest digest, ByteBuffer bytes, FileChannel out) throws StoreException {
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw failed(digest, e);
        }
    }

    private FileChannel create(Path temp, Digest digest) throws StoreException {
        try {
            return FileChannel.open(temp, NEW, READ_ONLY);
        } catch (IOException e) {
            throw failed(digest, e);
        }
    }

    private Publication link(Path temp, Digest digest) throws StoreException {
        try {
            Files.createLink(layout.object(digest), temp);
            return Publication.PUBLISHED;
        } catch (FileAlreadyExistsException e) {
            return Publication.ALREADY_HELD;
        } catch (IOException e) {
            throw failed(digest, e);
        }
    }

    private Path temp() {
        return incoming.resolve(Long.toString(temps.incrementAndGet()));
    }

    private static void checkDigest(Digest expected, Digest actual) throws StoreException {
        if (!actual.equals(expected)) {
            throw new StoreException(
                    Kind.WRONG_CONTENT,
                    "the content given for object " + expected + " has digest " + actual
                            + "; it was damaged on its way or at its source, fetch it again");
        }
    }

    private StoreException tooLarge(Digest digest) {
        return new StoreException(
                Kind.WRONG_CONTENT, "object " + digest + " is larger than " + limits.maxObjectBytes() + " bytes");
    }

    private StoreException failed(Digest digest, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        if (lower.contains("no space left") || lower.contains("quota exceeded")) {
            return new StoreException(
                    Kind.FULL,
                    "no space for object " + digest + " in " + layout.root + "; free space on that file system",
                    cause);
        }
        return new StoreException(
                Kind.FAILED, "could not write object " + digest + " into " + layout.root + ": " + reason, cause);
    }
}
