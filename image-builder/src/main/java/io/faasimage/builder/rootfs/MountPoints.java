package io.faasimage.builder.rootfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The places in a root file system that a container's mounts go to. A container whose root is no user of the machine
 * cannot make them itself. Thread-safe: builds with the same root file system wait for each other.
 */
public final class MountPoints {
    private MountPoints() {}

    /** Makes a directory with those above it, unless it is there. */
    public static synchronized void directory(Path root, String name) throws IOException {
        // The last part of a name is not made.
        new RootDirectory(root).place(name + "/entry");
    }

    /** Makes an empty file with the directories above it, unless something is there. */
    public static synchronized void file(Path root, String name) throws IOException {
        Path place = new RootDirectory(root).place(name);
        if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(place);
        }
    }
}
