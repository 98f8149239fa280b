package io.faasimage.store;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The first step of opening a store after an unclean shutdown: objects that may not have been flushed become
 * {@link Suspects}, which are hidden. They are found by their names in {@code incoming/}, each given before the
 * object's own and taken away after a flush; times are not compared. Nothing is read here, and every step may be
 * repeated after another crash.
 *
 * <p>Processes that open the same store at once take turns; the first does the work.
 */
final class Recovery {
    private final Layout layout;
    private final Boot boot;

    Recovery(Layout layout, Boot boot) {
        this.layout = layout;
        this.boot = boot;
    }

    void run() throws IOException {
        try (FileChannel turn =
                FileChannel.open(layout.recoveryLock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock _ = turn.lock();
            Optional<Checkpoint> last = Checkpoint.read(layout.marker);
            if (last.isPresent() && last.get().boot().equals(boot.id())) {
                return;
            }
            hide(last.isEmpty());
            AtomicFile.sweep(layout.root);
            Checkpoint.write(boot.id(), layout.marker);
        }
    }

    /** Without a note of the last boot every object is a suspect. */
    private void hide(boolean all) throws IOException {
        Layout.mkdir(layout.suspect);
        // Late names serve look-ups that have begun; none outlives the machine.
        for (Path shard : Layout.shards(layout.late)) {
            clear(shard);
        }
        if (all) {
            for (Path shard : layout.shards()) {
                hideAll(shard);
            }
        }
        for (Path writer : layout.writers()) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(writer)) {
                for (Path entry : entries) {
                    Optional<Digest> digest = Layout.unsyncedDigest(entry);
                    if (digest.isPresent()) {
                        hide(entry, digest.get());
                    }
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    private void hideAll(Path shard) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
            for (Path file : files) {
                Optional<Digest> digest = Layout.digestOf(file);
                if (digest.isPresent()) {
                    Files.move(file, layout.suspect(digest.get()), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }

    /** An entry without the object was dropped, or its object had been written by another before: it was never seen. */
    private void hide(Path entry, Digest digest) throws IOException {
        Path object = layout.object(digest);
        if (!isSame(object, entry)) {
            return;
        }
        Path suspect = layout.suspect(digest);
        try {
            Files.createLink(suspect, entry);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isSameFile(suspect, entry)) {
                Files.move(object, suspect, StandardCopyOption.ATOMIC_MOVE);
                return;
            }
        }
        Files.delete(object);
    }

    private static boolean isSame(Path object, Path entry) throws IOException {
        try {
            return Files.isSameFile(object, entry);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static void clear(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
        }
    }

    /**
     * Removes the half-written files of a killed process of this name; the objects that it published keep their names.
     */
    static void clean(Path incoming) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(incoming)) {
            for (Path entry : entries) {
                if (Layout.unsyncedDigest(entry).isEmpty()) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    /** At most {@code limit} names of objects that may not be on the disk yet, of all writers. */
    static List<Path> unsynced(Layout layout, int limit) throws IOException {
        List<Path> found = new java.util.ArrayList<>();
        for (Path writer : layout.writers()) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(writer)) {
                for (Path entry : entries) {
                    if (found.size() == limit) {
                        return found;
                    }
                    if (Layout.unsyncedDigest(entry).isPresent()) {
                        found.add(entry);
                    }
                }
            }
        }
        return found;
    }
}
