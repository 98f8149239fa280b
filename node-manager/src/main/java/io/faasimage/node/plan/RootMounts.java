package io.faasimage.node.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.linux.FileSystems;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.LoopDevice;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlannedChains.RootLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kernel's own mounts that planned root file systems consist of. Thread-safe; one lock is held while the kernel mounts.
 *
 * <p>Layout below the root, each named by the first 12 hex digits of a chain ID: {@code mounts/meta/<id>} a metadata image
 * mounted from its file; {@code mounts/loop/<id>} the same on a loop device, below {@code mounts/nested/<id>}, a read-only
 * overlay of metadata and data layers that ordinary layers can lie on. Mounts outlive the process: they are found again
 * in the mount table.
 */
public final class RootMounts implements PlanMounts {
    private static final String TOPIC = "mount";
    private static final int ID_LENGTH = 12;
    private static final Pattern OWN_LAYER =
            Pattern.compile("(?:^|/)mounts/(?:meta|loop|nested)/([0-9a-f]{" + ID_LENGTH + "})$");

    private final Path root;
    private final Path meta;
    private final Path loop;
    private final Path nested;
    private final DataLayers dataLayers;
    private final boolean fileBacked;
    private final Events events;
    private final Set<Path> mounted = new HashSet<>();

    /**
     * Finds the mounts that are there already.
     *
     * @param root the node's state directory, absolute, without characters that overlay options give a meaning
     * @param fileBacked whether the kernel mounts EROFS straight from a file; otherwise loop devices are used
     */
    public RootMounts(Path root, boolean fileBacked, Events events) throws IOException {
        this(root, fileBacked, new DataLayers(root, Optional.empty(), events), events);
    }

    /** As above, with data layers of the caller's. */
    public RootMounts(Path root, boolean fileBacked, DataLayers dataLayers, Events events) throws IOException {
        this.root = root;
        this.meta = root.resolve("mounts/meta");
        this.loop = root.resolve("mounts/loop");
        this.nested = root.resolve("mounts/nested");
        this.dataLayers = dataLayers;
        this.fileBacked = fileBacked;
        this.events = events;
        Files.createDirectories(meta);
        Files.createDirectories(loop);
        Files.createDirectories(nested);
        MountTable.read().below(root.resolve("mounts")).forEach(this::adopt);
    }

    /** An inner overlay of an earlier run that lacks a data layer is made anew when it is used again. */
    private void adopt(MountTable.Entry entry) {
        Path target = Path.of(entry.target());
        synchronized (mounted) {
            mounted.add(target);
            if (target.startsWith(nested) && dataLayers.areMissingIn(entry)) {
                detach(target);
            }
        }
    }

    /** Mounts the metadata image of {@code chain}, unless it is mounted, and what else the answer needs. */
    @Override
    public RootLayers open(ChainId chain, Path metadata, boolean inner) throws IOException {
        synchronized (mounted) {
            if (!inner) {
                Path target = at(meta, chain);
                if (!mounted.contains(target) && fileBacked && !isInMemory(metadata)) {
                    mount(metadata.toString(), target, "erofs", "");
                } else {
                    onLoopDevice(metadata, target);
                }
                return new RootLayers(target + dataLayers.text(), true);
            }
            Path target = at(nested, chain);
            if (!mounted.contains(target)) {
                Path below = at(loop, chain);
                onLoopDevice(metadata, below);
                mount(
                        "overlay",
                        target,
                        "overlay",
                        "lowerdir=" + below + dataLayers.text() + ",metacopy=on,redirect_dir=follow");
            }
            return RootLayers.directory(target);
        }
    }

    /** The kernel mounts EROFS from files of real file systems only. */
    private static boolean isInMemory(Path metadata) throws IOException {
        return FileSystems.space(metadata).type() == FileSystems.Space.TMPFS;
    }

    private void onLoopDevice(Path metadata, Path target) throws IOException {
        if (!mounted.contains(target)) {
            try (LoopDevice device = LoopDevice.attach(metadata)) {
                mount(device.path().toString(), target, "erofs", "");
            }
        }
    }

    private void mount(String source, Path target, String type, String options) throws IOException {
        Files.createDirectories(target);
        Mounts.mount(source, target, type, Mounts.RDONLY, options);
        mounted.add(target);
    }

    /**
     * Those of {@code chains} that containers run on: overlays, or bind mounts of inner ones, that are not made here. All
     * that are mounted when the mount table cannot be read. After {@link #gateReplaced}, which takes the own ones away.
     */
    @Override
    public Set<ChainId> used(Collection<ChainId> chains) {
        return chains.stream().filter(hasOneOf(idsInUse(true))).collect(Collectors.toSet());
    }

    /** Ids below overlays: of every one, or of those that are mounted or bound outside of the state directory, for containers. */
    private Set<String> idsInUse(boolean ownToo) {
        Set<String> ids;
        try {
            ids = idsBelowOverlays(MountTable.read().entries().stream()
                    .filter(entry -> ownToo || !Path.of(entry.target()).startsWith(root)));
        } catch (IOException e) {
            events.fallback(TOPIC, "every mounted plan counts as used: " + Events.reason(e));
            synchronized (mounted) {
                ids = mounted.stream()
                        .map(path -> String.valueOf(path.getFileName()))
                        .collect(Collectors.toSet());
            }
        }
        return ids;
    }

    private static Predicate<ChainId> hasOneOf(Set<String> ids) {
        return chain -> ids.contains(id(chain));
    }

    /** containerd shortens many layers to paths relative to a common directory, so only the ends of paths are looked at. */
    private static Set<String> idsBelowOverlays(Stream<MountTable.Entry> entries) {
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
    public Set<PlanLayer> inUse(Collection<PlanLayer> layers) {
        Set<String> ids = idsInUse(false);
        return layers.stream()
                .filter(layer -> ids.contains(id(layer.chainId())))
                .collect(Collectors.toSet());
    }

    @Override
    public void release(ChainId chain) {
        synchronized (mounted) {
            detach(at(nested, chain));
            detach(at(loop, chain));
            detach(at(meta, chain));
        }
    }

    /** Inner overlays on the old gate are detached, so that the next use makes new ones. */
    @Override
    public void gateReplaced() {
        synchronized (mounted) {
            Set.copyOf(mounted).stream().filter(path -> path.startsWith(nested)).forEach(this::detach);
        }
    }

    private void detach(Path target) {
        if (!mounted.contains(target)) {
            return;
        }
        try {
            Mounts.detach(target);
        } catch (LinuxException e) {
            events.error(TOPIC, "could not unmount " + target + ", it stays until the next boot: " + e.getMessage());
            return;
        }
        mounted.remove(target);
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            events.info(TOPIC, "the empty directory " + target + " stays: " + Events.reason(e));
        }
    }

    private static Path at(Path directory, ChainId chain) {
        return directory.resolve(id(chain));
    }

    private static String id(ChainId chain) {
        return chain.digest().hex().substring(0, ID_LENGTH);
    }
}
