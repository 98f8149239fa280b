package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.IdMap;
import io.faasimage.node.containerd.snapshot.Ancestry.Below;
import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.plans.lazy.LazyImages.Purpose;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The mounts of a view or an active snapshot.
 *
 * <pre>
 * no parent                        bind mount of its own directory
 * ordinary parents                 overlay of the parents' directories (a view of one parent: bind mount of it)
 * a planned chain right below      overlay of the plan's root file system, with metacopy unless the gate shows it;
 *                                  mounted here and given as a bind mount when it has data-only layers (see OwnMounts)
 * ordinary parents above a plan    overlay of their directories and the plan's nested mount, without metacopy
 * a layer being unpacked on a plan overlay of the plan's nested mount, without metacopy: its files must be whole
 * </pre>
 */
final class SnapshotMounts {
    static final String LOWERDIR = "lowerdir=";
    private static final Path INDEX_PARAMETER = Path.of("/sys/module/overlay/parameters/index");

    private final Ancestry ancestry;
    private final SnapshotDirectories directories;
    private final LazyImages lazyImages;
    private final SnapshotSettings settings;
    private final boolean indexOff = Files.exists(INDEX_PARAMETER);

    SnapshotMounts(
            Ancestry ancestry, SnapshotDirectories directories, LazyImages lazyImages, SnapshotSettings settings) {
        this.ancestry = ancestry;
        this.settings = settings;
        this.directories = directories;
        this.lazyImages = lazyImages;
    }

    /** @throws SnapshotException UNAVAILABLE when the plan's root file system cannot be mounted */
    Mount of(Snapshot snapshot) {
        return of(snapshot, false);
    }

    /** As {@link #of(Snapshot)}, for a snapshot that was just made: the start of a container. */
    Mount ofNew(Snapshot created) {
        return of(created, created.isContainer());
    }

    private Mount of(Snapshot snapshot, boolean starts) {
        Below below = ancestry.below(snapshot);
        try {
            return of(snapshot, below, starts && ancestry.image(snapshot).equals(below.planned()));
        } catch (IOException e) {
            throw new SnapshotException(
                    Reason.UNAVAILABLE,
                    "could not mount the image below snapshot '" + snapshot.key() + "': " + e.getMessage(),
                    e);
        }
    }

    /** The mount of a snapshot with {@code below} below it. */
    Mount of(Snapshot snapshot, Below below, boolean starts) throws IOException {
        Mount mount = unmapped(snapshot, below, starts);
        Mount labelled = OwnOverlay.isNeeded(mount) ? settings.labelled(mount) : mount;
        Optional<IdMap> ids = snapshot.idMap();
        if (ids.isEmpty() || below.owned()) {
            return labelled;
        }
        if (below.planned().isPresent() && !OwnOverlay.isNeeded(mount)) {
            throw new IOException("the root file system of '" + snapshot.key() + "' cannot belong to a user namespace: "
                    + (below.ordinary().isEmpty()
                            ? "the gate serves it, and FUSE cannot map ids"
                            : "it is a planned image below layers that are not")
                    + "; wait until the whole image is planned, or take remap-ids out of the snapshotter's capabilities"
                    + " in containerd's configuration, which then copies the image");
        }
        return labelled.withIdMap(ids.get());
    }

    private Mount unmapped(Snapshot snapshot, Below below, boolean starts) throws IOException {
        boolean writable = snapshot.kind() == SnapshotKind.ACTIVE;
        Optional<RootLayers> root = Optional.empty();
        if (below.planned().isPresent()) {
            boolean nested = snapshot.isWhole() || !below.ordinary().isEmpty();
            root = Optional.of(lazyImages.open(below.planned().get(), new Purpose(starts, nested)));
        }
        if (below.ordinary().isEmpty() && root.isEmpty()) {
            return Mount.bind(directories.upper(snapshot.id()), writable);
        }
        String lower = lowerdir(below, root);
        boolean metacopy = root.map(RootLayers::metacopy).orElse(false);
        if (!writable && !metacopy && lower.indexOf(':') < 0) {
            return Mount.bind(lower, false);
        }
        if (!metacopy && mayHoldStubs(snapshot, below)) {
            refuseStubs(directories.upper(snapshot.id()));
        }
        List<String> options = options(snapshot, writable, lower, metacopy);
        if (root.isPresent() && !metacopy) {
            options.add("redirect_dir=follow"); // a layer committed on the plan may hold renamed directories
        }
        return Mount.overlay(options);
    }

    /** Without metacopy the kernel takes a stub, left from when the container ran with it, for a file of zeros. */
    private static void refuseStubs(Path upper) throws IOException {
        StubFiles.Count stubs = StubFiles.in(upper);
        if (stubs.number() > 0) {
            throw new IOException("this container changed attributes of " + stubs.number() + " files (first "
                    + stubs.first() + ") while its root file system was mounted by the kernel, and their contents"
                    + " cannot be found through the gate's view; remove the container, or start node-manager with"
                    + " --mounts native");
        }
    }

    /** Whether a snapshot's own directory may hold files without content. */
    boolean mayHoldStubs(Snapshot snapshot) {
        return mayHoldStubs(snapshot, ancestry.below(snapshot));
    }

    private static boolean mayHoldStubs(Snapshot snapshot, Below below) {
        return snapshot.kind() == SnapshotKind.ACTIVE
                && !snapshot.isWhole()
                && below.planned().isPresent()
                && below.ordinary().isEmpty();
    }

    /** The lower layers of an overlay; empty for a bind mount. */
    static Optional<String> lowerdir(Mount mount) {
        return mount.options().stream()
                .filter(option -> option.startsWith(LOWERDIR))
                .map(option -> option.substring(LOWERDIR.length()))
                .findFirst();
    }

    /** The topmost of the directories that an overlay takes from below. */
    static Optional<Path> topmostLower(Mount mount) {
        return lowerdir(mount).map(lower -> Path.of(lower.split(":", 2)[0]));
    }

    private List<String> options(Snapshot snapshot, boolean writable, String lower, boolean metacopy) {
        List<String> options = new ArrayList<>();
        if (writable) {
            options.add("workdir=" + directories.work(snapshot.id()));
            options.add("upperdir=" + directories.upper(snapshot.id()));
        }
        options.add(LOWERDIR + lower);
        if (indexOff) {
            options.add("index=off");
        }
        if (metacopy) {
            options.add("metacopy=on");
            options.add("redirect_dir=on");
        }
        if (writable) {
            options.addAll(settings.mountOptions());
        }
        return options;
    }

    private String lowerdir(Below below, Optional<RootLayers> root) {
        String ordinary = below.ordinary().stream()
                .map(id -> directories.upper(id).toString())
                .collect(Collectors.joining(":"));
        if (root.isEmpty()) {
            return ordinary;
        }
        String planned = root.get().lowerdir();
        return ordinary.isEmpty() ? planned : ordinary + ":" + planned;
    }
}
