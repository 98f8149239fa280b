package io.faasimage.node.rootfs;

import java.util.Locale;

/** The operator's choice of how planned root file systems are mounted. */
public enum MountChoice {
    /** The kernel's own, else the gate's, as found by trying. */
    AUTO,
    /** Only the kernel's own: where it cannot, images are handled as ordinary ones. */
    NATIVE,
    /** The gate's, also where the kernel could. */
    FUSE;

    /** The choice named {@code text}; {@link IllegalArgumentException}, for the user, when there is none. */
    public static MountChoice parse(String text) {
        for (MountChoice choice : values()) {
            if (choice.label().equals(text)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("--mounts must be auto, native or fuse, not '" + text + "'");
    }

    /** Its name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
