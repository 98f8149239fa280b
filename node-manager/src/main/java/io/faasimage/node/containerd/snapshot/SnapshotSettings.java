package io.faasimage.node.containerd.snapshot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of mounts and labels, as the options of containerd's own overlayfs snapshotter.
 *
 * @param mountOptions further options of overlays that are written to, such as {@code volatile}
 * @param label SELinux label of the root file systems that are mounted here: a client that is given a directory to bind
 *     cannot label it
 * @param upperdirLabel whether snapshots have the label {@code containerd.io/snapshot/overlay.upperdir}
 */
public record SnapshotSettings(List<String> mountOptions, Optional<String> label, boolean upperdirLabel) {
    /** The label of containers' files in SELinux' policies, without categories: all containers may use it. */
    private static final String CONTAINER_FILES = "system_u:object_r:container_file_t:s0";

    private static final Path SELINUX = Path.of("/sys/fs/selinux/enforce");
    private static final Set<String> OWN = Set.of(
            "lowerdir",
            "upperdir",
            "workdir",
            "datadir",
            "metacopy",
            "redirect_dir",
            "index",
            "context",
            "uidmap",
            "gidmap",
            "userxattr",
            "ro");

    /** Checks the options. */
    public SnapshotSettings {
        mountOptions = List.copyOf(mountOptions);
        for (String option : mountOptions) {
            String name = option.split("=", 2)[0].replaceFirst("\\+$", "");
            if (!option.matches("[a-z_]+(=[A-Za-z0-9_]+)?") || OWN.contains(name)) {
                throw new IllegalArgumentException("'" + option + "' cannot be a further option of overlay mounts");
            }
        }
        if (label.filter(l -> !l.matches("[A-Za-z0-9_.:,-]{1,255}")).isPresent()) {
            throw new IllegalArgumentException("not an SELinux label: '" + label.get() + "'");
        }
    }

    /** The usual ones: a label where SELinux is on, nothing else. */
    public static SnapshotSettings usual() {
        return of("", Optional.empty(), false);
    }

    /**
     * Settings from a command line.
     *
     * @param mountOptions separated by commas; may be empty
     * @param label the usual one where SELinux is on when empty
     */
    public static SnapshotSettings of(String mountOptions, Optional<String> label, boolean upperdirLabel) {
        List<String> options = mountOptions.isEmpty() ? List.of() : List.of(mountOptions.split(",", -1));
        Optional<String> usual = Files.exists(SELINUX) ? Optional.of(CONTAINER_FILES) : Optional.empty();
        return new SnapshotSettings(options, label.or(() -> usual), upperdirLabel);
    }

    /** {@code overlay}, as it is mounted here rather than by a client, which would label it. */
    Mount labelled(Mount overlay) {
        return label.map(l -> overlay.with("context=\"" + l + "\"")).orElse(overlay);
    }
}
