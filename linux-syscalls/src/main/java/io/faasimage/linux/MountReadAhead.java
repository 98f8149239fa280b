package io.faasimage.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The kernel's read-ahead of an EROFS file system that is mounted from a file: such a mount has a {@code bdi} of its
 * own, which nothing but its appearance ties to it. Mounts of one process are made one after the other for that.
 */
public final class MountReadAhead {
    private static final Path BDI = Path.of("/sys/class/bdi");
    private static final String NAMES = "erofs-*";

    private MountReadAhead() {}

    /** A mount. */
    @FunctionalInterface
    public interface Mounting {
        /** Mounts. */
        void mount() throws IOException;
    }

    /**
     * Mounts an EROFS file system from a file, with a read-ahead of its own.
     *
     * @param kibibytes of the read-ahead; 0 for none
     * @return the name of its bdi, for {@link #set}; empty when another mount appeared at the same moment
     */
    public static synchronized String limited(int kibibytes, Mounting mounting) throws IOException {
        Set<String> before = names();
        mounting.mount();
        Set<String> added = names();
        added.removeAll(before);
        if (added.size() != 1) {
            return "";
        }
        String name = added.iterator().next();
        set(name, kibibytes);
        return name;
    }

    /** Sets the read-ahead of a bdi, in KiB. */
    public static void set(String bdi, int kibibytes) throws IOException {
        Files.writeString(BDI.resolve(bdi).resolve("read_ahead_kb"), Integer.toString(kibibytes));
    }

    private static Set<String> names() throws IOException {
        Set<String> names = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(BDI, NAMES)) {
            all.forEach(bdi -> names.add(bdi.getFileName().toString()));
        }
        return names;
    }
}
