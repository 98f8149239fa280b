package io.faasimage.node.plans.partial;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.linux.MountTable;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.rootfs.MountLocks;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The layers of partial objects of this node, one for each plan that has pieces and whose large objects are not
 * present ({@code partial/<plan>} below the root). A layer outlives this process, and the containers on it do not
 * notice when its objects become whole or the gate is another one: their loop devices get other files. Thread-safe;
 * devices are changed by a thread of its own, because a change waits for reads that are under way.
 */
public final class PartialLayers implements AutoCloseable {
    private static final String TOPIC = "partial";
    private static final String MAPS = "maps";
    /** A start mounts its layer within this time. */
    private static final long MOUNT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final Path files;
    private final ObjectStore store;
    private final LayerAssembly assembly;
    private final Events events;
    private final Map<Digest, PartialLayer> mounted = new ConcurrentHashMap<>();
    private final AtomicLong mounts = new AtomicLong();
    private final MountLocks<Digest> locks = new MountLocks<>();
    private final ScheduledExecutorService changes = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("partial").daemon().factory());

    /**
     * Finds the layers that an earlier process mounted, and removes the remains of others.
     *
     * @param root the node's state directory
     * @param gate where the gate is mounted
     */
    public PartialLayers(Path root, Path gate, ObjectStore store, Events events) throws IOException {
        this.directory = root.resolve("partial");
        this.files = gate.resolve("partial");
        this.store = store;
        this.events = events;
        this.assembly = new LayerAssembly(directory.resolve(MAPS), files, store);
        Files.createDirectories(directory.resolve(MAPS));
        AtomicFile.sweep(directory.resolve(MAPS));
        adopt();
        var _ = changes.scheduleWithFixedDelay(
                () -> sweep(MOUNT_NANOS), MOUNT_NANOS, MOUNT_NANOS, TimeUnit.NANOSECONDS);
    }

    private void adopt() throws IOException {
        MountTable table = MountTable.read();
        try (DirectoryStream<Path> layers = Files.newDirectoryStream(directory, "[0-9a-f]*")) {
            for (Path layer : layers) {
                adopt(layer, table);
            }
        }
    }

    private void adopt(Path layer, MountTable table) {
        try {
            AtomicFile.sweep(layer);
            Path point = PartialMount.point(layer);
            if (table.at(point).isPresent() && PartialLayer.isDescribed(point)) {
                mounted.put(new Digest(String.valueOf(layer.getFileName())), PartialLayer.read(point));
            } else {
                PartialLayer.remove(layer);
            }
        } catch (IOException | IllegalArgumentException e) {
            events.error(TOPIC, "the layer " + layer + " is not looked after: " + Events.reason(e));
        }
    }

    /** The plans that have a layer. */
    public Set<Digest> plans() {
        return Set.copyOf(mounted.keySet());
    }

    /** Whether a plan has a layer of which some objects are not whole. */
    public boolean isPartial(Digest plan) {
        return partialObjects(plan) > 0;
    }

    /** How many objects of a plan's layer are not whole; 0 when it has none. */
    public int partialObjects(Digest plan) {
        PartialLayer layer = mounted.get(plan);
        if (layer == null) {
            return 0;
        }
        try {
            return layer.partialObjects();
        } catch (IOException e) {
            events.error(TOPIC, "a device of plan " + plan + " cannot be looked at: " + Events.reason(e));
            return layer.devices().size();
        }
    }

    /** How many objects a plan's layer has; 0 when it has none. */
    public int objects(Digest plan) {
        PartialLayer layer = mounted.get(plan);
        return layer == null ? 0 : layer.devices().size();
    }

    /** How many layers were mounted by this process. */
    public long mounts() {
        return mounts.get();
    }

    /** The layer of a plan, if it has one; it stays for a while, until it is mounted. */
    public Optional<Path> find(Digest plan) {
        try (var _ = locks.take(plan)) {
            return Optional.ofNullable(mounted.get(plan)).map(layer -> {
                layer.markUsed();
                return layer.point();
            });
        }
    }

    /**
     * Mounts the layer of a plan, unless it is mounted. The gate must be mounted, and the pieces that starts read be in
     * the store.
     *
     * @throws IOException when it cannot be mounted; nothing is left then
     */
    public Path mount(Digest digest, Plan plan) throws IOException {
        try (var _ = locks.take(digest)) {
            PartialLayer there = mounted.get(digest);
            if (there != null) {
                there.markUsed();
                return there.point();
            }
            long began = System.nanoTime();
            Path place = directory.resolve(digest.hex());
            PartialLayer.remove(place);
            try {
                PartialLayer layer = assembly.mount(place, plan);
                mounted.put(digest, layer);
                mounts.incrementAndGet();
                events.info(
                        TOPIC,
                        "mounted " + layer.devices().size() + " partial objects of plan " + digest + " in "
                                + (System.nanoTime() - began) / 1_000_000 + " ms");
                // Objects may have come meanwhile.
                objectsCame(digest);
                return layer.point();
            } catch (IOException e) {
                PartialLayer.remove(place);
                throw e;
            }
        }
    }

    /** Objects of a plan came whole: the devices of its layer get them. Returns at once. */
    public void objectsCame(Digest plan) {
        change(plan, Optional.empty());
    }

    /** Another gate serves, perhaps because the old one died: devices use the files of this one. Returns at once. */
    public void gateReplaced() {
        plans().forEach(plan -> change(plan, Optional.of(files)));
    }

    private void change(Digest plan, Optional<Path> gate) {
        PartialLayer layer = mounted.get(plan);
        if (layer == null) {
            return;
        }
        try {
            changes.execute(() -> change(plan, layer, gate));
        } catch (RejectedExecutionException e) {
            events.info(TOPIC, "the layer of plan " + plan + " is looked after by the next agent");
        }
    }

    private void change(Digest plan, PartialLayer layer, Optional<Path> gate) {
        try {
            int whole = layer.change(store, gate);
            if (whole > 0) {
                events.info(TOPIC, whole + " objects of plan " + plan + " are whole, for running containers, too");
            }
        } catch (IOException e) {
            events.error(
                    TOPIC,
                    "a loop device of plan " + plan + " keeps its file, and its reads need the gate that it had: "
                            + Events.reason(e));
        }
    }

    /**
     * Removes layers that nothing needs: all of their objects are whole, and no overlay is on them. Drops the packs of
     * the others from the page cache.
     *
     * @param age leaves layers alone that a start took within so many nanoseconds
     */
    void sweep(long age) {
        if (mounted.isEmpty()) {
            return;
        }
        try {
            List<MountTable.Entry> overlays = MountTable.read().entries().stream()
                    .filter(entry -> entry.type().equals("overlay"))
                    .toList();
            for (Digest plan : plans()) {
                PartialLayer layer = mounted.get(plan);
                if (layer == null) {
                    continue;
                }
                if (!isUsed(plan, overlays) && layer.partialObjects() == 0) {
                    removeIfOld(plan, layer, age);
                } else if (isOld(layer, age)) {
                    layer.dropPack();
                }
            }
        } catch (IOException | RuntimeException e) {
            events.error(TOPIC, "unused layers of partial objects stay: " + Events.reason(e));
        }
    }

    private static boolean isUsed(Digest plan, List<MountTable.Entry> overlays) {
        // containerd may shorten paths to the parts that differ.
        String end = plan.hex() + "/" + PartialMount.POINT;
        return overlays.stream().anyMatch(entry -> entry.superOptions().contains(end));
    }

    private void removeIfOld(Digest plan, PartialLayer layer, long age) throws IOException {
        try (var _ = locks.take(plan)) {
            if (isOld(layer, age)) {
                remove(plan, layer);
            }
        }
    }

    /** Whether the start that took the layer has mounted it, and is over. */
    private static boolean isOld(PartialLayer layer, long age) {
        return System.nanoTime() - layer.usedNanos() > age;
    }

    /** Removes the layers of plans that no container uses any more. */
    public void remove(Iterable<Digest> plans) {
        for (Digest plan : plans) {
            try (var _ = locks.take(plan)) {
                PartialLayer layer = mounted.get(plan);
                if (layer != null) {
                    remove(plan, layer);
                }
            } catch (IOException e) {
                events.error(TOPIC, "the layer of plan " + plan + " stays until the next start: " + Events.reason(e));
            }
        }
    }

    private void remove(Digest plan, PartialLayer layer) throws IOException {
        mounted.remove(plan);
        PartialLayer.remove(layer.directory());
        Set<String> needed = new HashSet<>();
        mounted.values().forEach(other -> other.devices().forEach(device -> needed.add(device.file())));
        for (PartialLayer.Device device : layer.devices()) {
            if (!needed.contains(device.file())) {
                Files.deleteIfExists(directory.resolve(MAPS).resolve(device.file()));
            }
        }
    }

    /** Ends the work in the background; mounts stay. */
    @Override
    public void close() {
        changes.shutdown();
    }
}
