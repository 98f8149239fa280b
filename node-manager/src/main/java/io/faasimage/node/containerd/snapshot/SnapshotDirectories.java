package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.Errno;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.TreeWalk;
import io.faasimage.linux.TreeWalk.Entry;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the snapshots: {@code snapshots/<id>/fs} holds a layer's files, {@code snapshots/<id>/work}
 * belongs to overlayfs. A directory is made before its record and its record goes before it, so a directory without a
 * record is rubbish; it is first renamed to {@code rm-<id>} and deleted later.
 */
final class SnapshotDirectories {
    private static final System.Logger LOG = System.getLogger(SnapshotDirectories.class.getName());
    private static final String REMOVED = "rm-";

    /** The name of a snapshot's directory for a mount of its own. */
    static final String MOUNT_POINT = "mnt";

    private static final String ROOT_MOUNT = "root";

    private final Path directory;

    SnapshotDirectories(Path root) throws IOException {
        this.directory = root.resolve("snapshots");
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** The layer's own files: overlayfs's upper directory. */
    Path upper(long id) {
        return directory.resolve(Long.toString(id)).resolve("fs");
    }

    Path work(long id) {
        return directory.resolve(Long.toString(id)).resolve("work");
    }

    /** A place for a mount of the snapshot's own; normally absent. */
    Path mountPoint(long id) {
        return directory.resolve(Long.toString(id)).resolve(MOUNT_POINT);
    }

    /** Where the root file system is mounted that is bound into a container; normally absent. */
    Path rootMount(long id) {
        return directory.resolve(Long.toString(id)).resolve(ROOT_MOUNT);
    }

    /** A file that is there while {@link #rootMount} leads to a gate that is gone. */
    Path staleMark(long id) {
        return directory.resolve(Long.toString(id)).resolve("stale");
    }

    /** The directory of all snapshots. */
    Path all() {
        return directory;
    }

    /**
     * Makes the directories of a new snapshot, durable in name; those of a crashed attempt with the same id give way.
     */
    void create(long id, boolean withWork) throws IOException {
        Path own = directory.resolve(Long.toString(id));
        if (Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
            deleteTree(own);
        }
        make(own, "rwx------");
        make(upper(id), "rwxr-xr-x");
        if (withWork) {
            make(work(id), "rwx--x--x");
        }
        sync(own);
        sync(directory);
    }

    /** Gives the root directory of a layer the owner and mode of another layer's root directory. */
    void copyRootAttributes(Path from, long id) throws IOException {
        Path to = upper(id);
        Map<String, Object> attributes = Files.readAttributes(from, "unix:mode,uid,gid");
        if (attributes.get("mode") instanceof Integer mode) {
            Files.setAttribute(to, "unix:uid", attributes.get("uid"));
            Files.setAttribute(to, "unix:gid", attributes.get("gid"));
            Files.setAttribute(to, "unix:mode", mode & 07777);
        }
    }

    /** Changes the owner of the root directory of a layer. */
    void setRootOwner(long id, int user, int group) throws IOException {
        Files.setAttribute(upper(id), "unix:uid", user);
        Files.setAttribute(upper(id), "unix:gid", group);
    }

    /** Puts a snapshot's directory aside for {@link #delete}; does nothing when it is gone. */
    void discard(long id) throws IOException {
        Path own = directory.resolve(Long.toString(id));
        try {
            Files.move(own, directory.resolve(REMOVED + id), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            // never made, or discarded before
        }
    }

    /** Lists all that were put aside so far. */
    List<Path> discarded() throws IOException {
        List<Path> discarded = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, REMOVED + "*")) {
            entries.forEach(discarded::add);
        }
        return discarded;
    }

    /** Puts every directory aside that is not of one of {@code ids}, and lists all that were put aside so far. */
    List<Path> discardAllBut(Set<Long> ids) throws IOException {
        List<Path> discarded = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(REMOVED)) {
                    discarded.add(entry);
                } else if (!isOf(ids, name)) {
                    Path aside = directory.resolve(REMOVED + name);
                    Files.move(entry, aside, StandardCopyOption.ATOMIC_MOVE);
                    discarded.add(aside);
                }
            }
        }
        return discarded;
    }

    /** Deletes the directories that were put aside; those that cannot be deleted now stay for the next time. */
    static void delete(List<Path> discarded) {
        for (Path path : discarded) {
            try {
                deleteTree(path);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "could not delete " + path + ", trying again at the next cleanup", e);
            }
        }
    }

    private static boolean isOf(Set<Long> ids, String name) {
        try {
            return ids.contains(Long.parseLong(name));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static void make(Path path, String mode) throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode)); // whatever the umask
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        // A mount below must not be deleted with it.
        for (MountTable.Entry entry : MountTable.read().below(tree)) {
            Mounts.detach(Path.of(entry.target()));
        }
        Deletion deletion = new Deletion();
        TreeWalk.walk(tree, deletion);
        if (deletion.first != null) {
            throw new IOException(deletion.failures + " entries of " + tree + " could not be deleted, first "
                    + deletion.first.getMessage());
        }
        Files.deleteIfExists(tree);
    }

    /** Deletes as much as possible, and counts the rest. */
    private static final class Deletion implements TreeWalk.Visitor {
        private int failures;
        private @Nullable IOException first;

        @Override
        public void file(Entry file) {
            attempt(file, () -> file.directory().unlink(file.name().bytes()));
        }

        @Override
        public void leave(Entry directory) {
            attempt(
                    directory,
                    () -> directory.directory().removeDirectory(directory.name().bytes()));
        }

        @Override
        public void failed(Entry directory, LinuxException failure) {
            attempt(directory, () -> {
                throw failure;
            });
        }

        private void attempt(Entry entry, Removal removal) {
            try {
                removal.run();
            } catch (LinuxException e) {
                if (!e.is(Errno.ENOENT)) {
                    failures++;
                    first = first == null ? new IOException(entry + ": " + e.getMessage(), e) : first;
                }
            }
        }
    }

    @FunctionalInterface
    private interface Removal {
        void run() throws LinuxException;
    }
}
