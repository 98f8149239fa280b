package io.faasimage.node.starts.trace;

import io.faasimage.linux.LinuxException;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import io.faasimage.store.pack.Pack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The overlays that were mounted for traced starts: {@code <directory>/<n>/rootfs}, with the snapshot's key in the file
 * {@code <directory>/<n>/key}, and in {@code <directory>/<n>/large} the view of the pages of large objects that were
 * read. They outlive this process, and are found again by the next. Thread-safe; no lock is taken, as a mount waits for
 * the gate below it.
 */
final class TracedMounts {
    private static final System.Logger LOG = System.getLogger(TracedMounts.class.getName());
    private static final String ROOTFS = "rootfs";
    private static final String KEY = "key";
    private static final String LARGE = "large";

    private final Path directory;
    private final LargeObjects large;
    private final Events events;
    private final Map<String, Path> places = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    private TracedMounts(Path directory, LargeObjects large, Events events) {
        this.directory = directory;
        this.large = large;
        this.events = events;
    }

    /** Finds the mounts that are there; removes those without a key or (after a reboot) without a mount. */
    static TracedMounts open(Path directory, LargeObjects large, Events events) throws IOException {
        Files.createDirectories(directory);
        TracedMounts mounts = new TracedMounts(directory.toRealPath(), large, events);
        mounts.recover();
        return mounts;
    }

    private void recover() throws IOException {
        MountTable table = MountTable.read();
        try (DirectoryStream<Path> numbers = Files.newDirectoryStream(directory, "[0-9]*")) {
            for (Path place : numbers) {
                last.accumulateAndGet(number(place), Math::max);
                boolean mounted = table.at(place.resolve(ROOTFS)).isPresent();
                Path key = place.resolve(KEY);
                if (mounted && Files.isRegularFile(key)) {
                    places.put(Files.readString(key), place);
                } else {
                    clear(place);
                }
            }
        }
    }

    private static long number(Path place) {
        String name = String.valueOf(place.getFileName());
        return name.length() <= 18 && name.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(name) : 0;
    }

    /** Where the root file system of {@code key} is mounted. */
    Optional<Path> find(String key) {
        return Optional.ofNullable(places.get(key)).map(p -> p.resolve(ROOTFS));
    }

    /**
     * A root file system that is to be traced.
     *
     * @param rootfs where it is mounted
     * @param pages shows which parts of large objects are read; empty when only whole files are traced
     */
    record Traced(Path rootfs, Optional<ReadPages> pages) {}

    /** Mounts an overlay for {@code key}; leaves nothing behind when it fails. */
    Traced mount(String key, List<String> overlayOptions, Set<Pack> large) throws IOException {
        Path place = Files.createDirectory(directory.resolve(Long.toString(last.incrementAndGet())));
        try {
            Files.write(place.resolve(KEY), key.getBytes(StandardCharsets.UTF_8));
            Path rootfs = Files.createDirectory(place.resolve(ROOTFS));
            Optional<ReadPages> pages = pages(place.resolve(LARGE), key, overlayOptions, large);
            Mounts.mount(
                    "overlay",
                    rootfs,
                    "overlay",
                    pages.flatMap(p -> OverlayOptions.withDataLayers(overlayOptions, p.points()))
                            .orElse(overlayOptions));
            places.put(key, place);
            return new Traced(rootfs, pages);
        } catch (IOException e) {
            clear(place);
            throw e;
        }
    }

    /** Without them the trace names whole files, as one of an image without a plan does. */
    private Optional<ReadPages> pages(Path directory, String key, List<String> overlayOptions, Set<Pack> packs) {
        if (packs.isEmpty()
                || OverlayOptions.withDataLayers(overlayOptions, List.of(directory))
                        .isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ReadPages.mount(directory, large, packs));
        } catch (IOException e) {
            events.fallback(
                    "trace",
                    "which parts of large files the start of '" + key + "' reads is not traced: " + Events.reason(e));
            return Optional.empty();
        }
    }

    /** Unmounts the mount that {@link #mount} made for {@code key}; no-op when there is none. */
    void unmount(String key) {
        Path place = places.remove(key);
        if (place != null) {
            clear(place);
        }
    }

    private static void clear(Path place) {
        Path rootfs = place.resolve(ROOTFS);
        try {
            while (MountTable.read().at(rootfs).isPresent()) {
                take(rootfs);
            }
            ReadPages.remove(place.resolve(LARGE));
            Files.deleteIfExists(rootfs);
            Files.deleteIfExists(place.resolve(KEY));
            Files.deleteIfExists(place);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "could not take down the traced root file system " + rootfs, e);
        }
    }

    private static void take(Path rootfs) throws LinuxException {
        try {
            Mounts.unmount(rootfs);
        } catch (LinuxException busy) {
            Mounts.detach(rootfs);
        }
    }
}
