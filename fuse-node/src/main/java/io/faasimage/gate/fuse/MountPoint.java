package io.faasimage.gate.fuse;

import io.faasimage.linux.Errno;
import io.faasimage.linux.FileSystems;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The directory that a gate is mounted at. Only a dead gate on it is ever unmounted. */
final class MountPoint {
    /** The source by which gates are known in the mount table. */
    static final String SOURCE = "faasimage-gate";

    private static final Logger LOG = System.getLogger(MountPoint.class.getName());
    private static final int MOST_DEAD_MOUNTS = 64;

    private final Path directory;

    MountPoint(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    Path directory() {
        return directory;
    }

    /**
     * Makes the directory and takes dead gates off it.
     *
     * @throws IOException when a living gate or anything else is mounted there
     */
    void prepare() throws IOException {
        for (int i = 0; i < MOST_DEAD_MOUNTS; i++) {
            Optional<MountTable.Entry> there = top();
            if (there.isEmpty()) {
                Files.createDirectories(directory);
                return;
            }
            if (!isGate(there.get())) {
                throw new IOException("a file system of type " + there.get().type() + " is mounted at " + directory
                        + "; choose another directory or unmount it");
            }
            if (!isDead()) {
                throw new IOException("another gate serves " + directory + "; stop it first");
            }
            Mounts.detach(directory);
            LOG.log(Level.INFO, "removed the mount of a dead gate from " + directory);
        }
        throw new IOException("more than " + MOST_DEAD_MOUNTS + " dead gates are mounted at " + directory
                + "; unmount them with umount -l");
    }

    /** Takes a gate off the directory, if one is on it; those who use it keep it until its process ends. */
    void release() throws IOException {
        Optional<MountTable.Entry> there = top();
        if (there.isPresent() && isGate(there.get())) {
            Mounts.detach(directory);
        }
    }

    private Optional<MountTable.Entry> top() throws IOException {
        return MountTable.read().at(directory);
    }

    private static boolean isGate(MountTable.Entry entry) {
        return entry.type().startsWith("fuse") && entry.source().equals(SOURCE);
    }

    /** Requests something that the kernel cannot have cached. */
    private boolean isDead() throws IOException {
        try {
            FileSystems.space(directory);
            return false;
        } catch (LinuxException e) {
            if (e.is(Errno.ENOTCONN)) {
                return true;
            }
            throw e;
        }
    }
}
