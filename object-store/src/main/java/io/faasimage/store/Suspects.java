package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Objects below {@code suspect/} that a crash of the machine may have damaged, hidden by {@link Recovery}. Each is
 * hashed when it is wanted, or in the background, and gets its own name again when it is whole. Thread-safe; two
 * threads may verify one at once.
 */
final class Suspects {
    private static final Logger LOG = System.getLogger(Suspects.class.getName());
    private static final Verified WHOLE = new Verified(1, 0, 0);
    private static final Verified DAMAGED = new Verified(0, 1, 0);
    private static final Verified UNREAD = new Verified(0, 0, 1);

    private final Layout layout;
    private final Scratch.Pool scratches;
    private volatile boolean some;

    Suspects(Layout layout, Scratch.Pool scratches) throws IOException {
        this.layout = layout;
        this.scratches = scratches;
        this.some = !isEmpty(layout.suspect);
    }

    /** Whether there may be any. */
    boolean areHere() {
        return some;
    }

    /** Whether the object is one, and whole: it is visible then. */
    boolean rescue(Digest digest) {
        if (!some) {
            return false;
        }
        Path suspect = layout.suspect(digest);
        return Files.exists(suspect) ? verify(suspect, digest).equals(WHOLE) : Files.exists(layout.object(digest));
    }

    /** Drops the object if it is one. */
    void drop(Digest digest) throws IOException {
        if (some) {
            Files.deleteIfExists(layout.suspect(digest));
        }
    }

    /** Verifies all of them. */
    Verified verifyAll(Pause pause) throws IOException {
        if (!some) {
            return Verified.NONE;
        }
        Verified sum = Verified.NONE;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.suspect)) {
            for (Path file : files) {
                pause.await();
                Optional<Digest> digest = Layout.flatDigest(file);
                if (digest.isPresent()) {
                    sum = sum.plus(verify(file, digest.get()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the objects of " + layout.root + " were verified");
        }
        some = sum.unread() > 0;
        return sum;
    }

    private Verified verify(Path suspect, Digest digest) {
        try (FileChannel file = FileChannel.open(suspect, StandardOpenOption.READ)) {
            if (!isWhole(file, digest)) {
                LOG.log(Level.WARNING, "object {0} was damaged by an unclean shutdown and is dropped", digest);
                Files.deleteIfExists(suspect);
                return DAMAGED;
            }
            publish(suspect, digest);
            return WHOLE;
        } catch (NoSuchFileException e) {
            // Another thread was quicker.
            return Files.exists(layout.object(digest)) ? WHOLE : DAMAGED;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not verify the object " + suspect + "; it stays hidden", e);
            return UNREAD;
        }
    }

    /** The bytes were read from the disk, so they need no flush. */
    private void publish(Path suspect, Digest digest) throws IOException {
        try {
            Files.createLink(layout.object(digest), suspect);
        } catch (FileAlreadyExistsException e) {
            // Fetched again meanwhile, or by the other thread.
        } catch (NoSuchFileException e) {
            if (!Files.exists(layout.object(digest))) {
                throw e;
            }
        }
        Files.deleteIfExists(suspect);
    }

    /** A file that cannot be read to its end is damaged. */
    private boolean isWhole(FileChannel file, Digest digest) {
        Scratch scratch = scratches.take();
        try {
            InputStream in = Channels.newInputStream(file);
            for (int n = in.read(scratch.buffer); n >= 0; n = in.read(scratch.buffer)) {
                scratch.sha256.update(scratch.buffer, 0, n);
            }
            return scratch.digest().equals(digest);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not read the object " + digest, e);
            return false;
        } finally {
            scratches.giveBack(scratch);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }
}
