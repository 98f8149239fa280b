package io.faasimage.node.plans.rootfs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.linux.FileSystems;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.LoopDevice;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * EROFS and overlay mounts of planned root file systems, made by the kernel. Thread-safe; calls for one metadata image
 * run one after the other.
 *
 * <p>Layout below the root, each named by the digest of a metadata image: {@code mounts/meta/<hex>} the image mounted
 * from its file; {@code mounts/loop/<hex>} the same on a loop device, below {@code mounts/nested/<hex>}, a read-only
 * overlay of metadata and data layers that unplanned layers can lie on. Mounts outlive the process: those in the mount
 * table that match today's configuration are used again, others are detached.
 */
public final class RootMounts implements PlanMounts {
    private static final String TOPIC = "mount";
    private static final String HEX_DIGEST = "[0-9a-f]{64}";
    private static final Pattern OWN_LAYER =
            Pattern.compile("(?:^|/)mounts/(?:meta|loop|nested)/(" + HEX_DIGEST + ")$");

    private final Path root;
    private final Path meta;
    private final Path loop;
    private final Path nested;
    private final boolean fileBacked;
    private final Events events;
    /** Device numbers of the file systems that are mounted. */
    private final Map<Path, Long> mounted = new ConcurrentHashMap<>();

    private final MountLocks<Digest> locks = new MountLocks<>();

    /**
     * Finds the mounts that are there already.
     *
     * @param root the node's state directory, absolute, without characters that overlay options give a meaning
     * @param fileBacked whether the kernel mounts EROFS straight from a file; otherwise loop devices are used
     */
    public RootMounts(Path root, boolean fileBacked, Events events) throws IOException {
        this.root = root;
        this.meta = root.resolve("mounts/meta");
        this.loop = root.resolve("mounts/loop");
        this.nested = root.resolve("mounts/nested");
        this.fileBacked = fileBacked;
        this.events = events;
        Files.createDirectories(meta);
        Files.createDirectories(loop);
        Files.createDirectories(nested);
        adopt(MountTable.read());
    }

    private void adopt(MountTable table) throws IOException {
        for (MountTable.Entry entry : table.below(root.resolve("mounts"))) {
            Path target = Path.of(entry.target());
            if (isOurs(entry, table)) {
                mounted.put(target, device(target));
            } else {
                events.info(
                        TOPIC, "detaching " + entry.type() + " from " + target + ": it is not a mount of this agent");
                detachOne(target);
            }
        }
    }

    /** Whether the only mount at its place is the one that would be made there now. */
    private boolean isOurs(MountTable.Entry entry, MountTable table) throws IOException {
        Path target = Path.of(entry.target());
        String hex = String.valueOf(target.getFileName());
        long here = table.entries().stream()
                .filter(other -> other.target().equals(entry.target()))
                .count();
        if (here != 1 || !hex.matches(HEX_DIGEST)) {
            return false;
        }
        Path directory = target.getParent();
        if (nested.equals(directory)) {
            Path below = loop.resolve(hex);
            return entry.type().equals("overlay")
                    && List.of(entry.superOptions().split(",", -1)).contains(lowerdir(below))
                    && table.at(below).isPresent()
                    && isOurs(table.at(below).get(), table);
        }
        return (meta.equals(directory) || loop.equals(directory))
                && entry.type().equals("erofs")
                && backingFile(entry).equals(root.resolve("metadata/" + hex + ".erofs"));
    }

    /** The file that a file system lies in. */
    private static Path backingFile(MountTable.Entry entry) throws IOException {
        Path loopFile = Path.of("/sys/dev/block", entry.device(), "loop/backing_file");
        return Path.of(Files.exists(loopFile) ? Files.readString(loopFile).stripTrailing() : entry.source());
    }

    private static long device(Path directory) throws IOException {
        return (long) Files.getAttribute(directory, "unix:dev");
    }

    /** Mounts the metadata image of {@code layer}, unless it is mounted, and the other mounts that the answer needs. */
    @Override
    public RootLayers open(PlanLayer layer, Path metadata, boolean inner, List<Path> packs) throws IOException {
        Digest image = layer.metadata();
        try (var _ = locks.take(image)) {
            if (!inner) {
                Path target = at(meta, image);
                if (!isMounted(target)) {
                    if (fileBacked && !isInMemory(metadata)) {
                        mount(metadata.toString(), target, "erofs", "");
                    } else {
                        mountOnLoopDevice(metadata, target);
                    }
                }
                return new RootLayers(target + dataLayers(packs), true);
            }
            Path target = at(nested, image);
            if (!isMounted(target)) {
                Path below = at(loop, image);
                if (!isMounted(below)) {
                    mountOnLoopDevice(metadata, below);
                }
                mount("overlay", target, "overlay", lowerdir(below) + ",metacopy=on,redirect_dir=follow");
            }
            return RootLayers.directory(target);
        }
    }

    /**
     * The layers that hold objects, as they follow a metadata image in {@code lowerdir}.
     *
     * @param packs mounts of packs: a read of a frame that is missing there waits until it has come
     */
    private String dataLayers(List<Path> packs) {
        Path gate = root.resolve("gate");
        return "::" + root.resolve("objects")
                + packs.stream().map(pack -> "::" + pack).collect(Collectors.joining()) + "::" + gate.resolve("fetch")
                + "::" + root.resolve("late") + "::" + gate.resolve("verdict");
    }

    private String lowerdir(Path below) {
        return "lowerdir=" + below + dataLayers(List.of());
    }

    /** Whether the mount that was made or adopted is still the topmost one there: others may unmount it or cover it. */
    private boolean isMounted(Path target) throws IOException {
        Long device = mounted.get(target);
        if (device == null) {
            return false;
        }
        if (Files.isDirectory(target) && device(target) == device) {
            return true;
        }
        events.fallback(TOPIC, target + " was unmounted or covered by another program; it is mounted again");
        while (MountTable.read().at(target).isPresent()) {
            Mounts.detach(target);
        }
        mounted.remove(target);
        return false;
    }

    /** The kernel mounts EROFS from files of real file systems only. */
    private static boolean isInMemory(Path metadata) throws IOException {
        return FileSystems.space(metadata).type() == FileSystems.Space.TMPFS;
    }

    private void mountOnLoopDevice(Path metadata, Path target) throws IOException {
        try (LoopDevice device = LoopDevice.attach(metadata)) {
            mount(device.path().toString(), target, "erofs", "");
        }
    }

    private void mount(String source, Path target, String type, String options) throws IOException {
        Files.createDirectories(target);
        Mounts.mount(source, target, type, Mounts.RDONLY, options);
        mounted.put(target, device(target));
    }

    /**
     * Those of {@code layers} that containers run on: overlays, or bind mounts of inner ones, that are not made here.
     * All that are mounted when the mount table cannot be read. After {@link #gateReplaced}, which takes the own ones
     * away.
     */
    @Override
    public Set<PlanLayer> used(Collection<PlanLayer> layers) {
        return withImagesAmong(namesInUse(true), layers);
    }

    @Override
    public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
        return withImagesAmong(namesInUse(false), layers);
    }

    private static Set<PlanLayer> withImagesAmong(Set<String> names, Collection<PlanLayer> layers) {
        return layers.stream()
                .filter(layer -> names.contains(layer.metadata().hex()))
                .collect(Collectors.toSet());
    }

    /**
     * Images below overlays: of every one, or of those that are mounted or bound outside of the state directory, for
     * containers.
     */
    private Set<String> namesInUse(boolean ownToo) {
        try {
            return namesBelowOverlays(MountTable.read().entries().stream()
                    .filter(entry -> ownToo || !Path.of(entry.target()).startsWith(root)));
        } catch (IOException e) {
            events.fallback(TOPIC, "every mounted plan counts as used: " + Events.reason(e));
            return mounted.keySet().stream()
                    .map(path -> String.valueOf(path.getFileName()))
                    .collect(Collectors.toSet());
        }
    }

    /**
     * containerd shortens many layers to paths relative to a common directory, so only the ends of paths are looked at.
     */
    private static Set<String> namesBelowOverlays(Stream<MountTable.Entry> entries) {
        return entries.filter(entry -> entry.type().equals("overlay"))
                .flatMap(entry -> Arrays.stream(entry.superOptions().split(",", -1)))
                .filter(option -> option.startsWith("lowerdir"))
                .flatMap(option -> Arrays.stream(option.split("[:=]", -1)))
                .map(OWN_LAYER::matcher)
                .filter(Matcher::find)
                .map(layer -> layer.group(1))
                .collect(Collectors.toSet());
    }

    @Override
    public void release(Digest image, BooleanSupplier unused) {
        try (var _ = locks.take(image)) {
            // Asked with the lock: images opened before are known to be used by now, and images opened later are
            // mounted again.
            if (unused.getAsBoolean()) {
                detach(at(nested, image));
                detach(at(loop, image));
                detach(at(meta, image));
            }
        }
    }

    /** Inner overlays on the old gate are detached, so that the next use makes new ones. */
    @Override
    public void gateReplaced() {
        for (Path target : Set.copyOf(mounted.keySet())) {
            if (target.startsWith(nested)) {
                try (var _ = locks.take(new Digest(String.valueOf(target.getFileName())))) {
                    detach(target);
                }
            }
        }
    }

    private void detach(Path target) {
        if (mounted.containsKey(target) && detachOne(target)) {
            mounted.remove(target);
            try {
                Files.deleteIfExists(target);
            } catch (IOException e) {
                events.info(TOPIC, "the empty directory " + target + " stays: " + Events.reason(e));
            }
        }
    }

    private boolean detachOne(Path target) {
        try {
            Mounts.detach(target);
            return true;
        } catch (LinuxException e) {
            events.error(TOPIC, "could not unmount " + target + ", it stays until the next boot: " + e.getMessage());
            return false;
        }
    }

    private static Path at(Path directory, Digest image) {
        return directory.resolve(image.hex());
    }
}
