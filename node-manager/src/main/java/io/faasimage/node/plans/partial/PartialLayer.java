package io.faasimage.node.plans.partial;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.LoopDevice;
import io.faasimage.linux.PageCache;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A mounted layer of partial objects and its loop devices, as its directory describes them to later processes. Changes
 * of devices are for one thread.
 */
final class PartialLayer {
    private static final String DEVICES = "devices";

    private final Path point;
    private final List<Device> devices;
    private volatile long used = System.nanoTime();

    /**
     * The device of one object.
     *
     * @param loop the loop device
     * @param object whose missing chunks it has
     * @param file name of the object's file in the gate
     */
    record Device(Path loop, Digest object, String file) {
        private static Device parse(String line) throws IOException {
            String[] parts = line.split(" ", -1);
            if (parts.length != 3) {
                throw new IOException("'" + line + "' describes no device");
            }
            return new Device(Path.of(parts[0]), new Digest(parts[1]), parts[2]);
        }

        private String line() {
            return loop + " " + object.hex() + " " + file + "\n";
        }

        /** Whether it has the whole object; then it needs no process any more. */
        boolean isWhole() throws IOException {
            Path backing = Path.of("/sys/block", String.valueOf(loop.getFileName()), "loop/backing_file");
            return Files.readString(backing).contains(object.objectPath());
        }
    }

    PartialLayer(Path point, List<Device> devices) {
        this.point = point;
        this.devices = List.copyOf(devices);
    }

    /** Describes the layer in its directory. */
    void save() throws IOException {
        String text = devices.stream().map(Device::line).collect(Collectors.joining());
        AtomicFile.publish(directory().resolve(DEVICES), out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether the process that mounted {@code point} got as far as to describe it. */
    static boolean isDescribed(Path point) {
        return Files.exists(point.resolveSibling(DEVICES));
    }

    /** The layer that an earlier process mounted at {@code point}. */
    static PartialLayer read(Path point) throws IOException {
        List<Device> devices = new ArrayList<>();
        for (String line : Files.readAllLines(point.resolveSibling(DEVICES))) {
            devices.add(Device.parse(line));
        }
        return new PartialLayer(point, devices);
    }

    /** Unmounts it; running containers keep their mounts. */
    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(DEVICES));
        PartialMount.remove(directory);
    }

    Path directory() {
        return point.resolveSibling(".").normalize();
    }

    Path point() {
        return point;
    }

    List<Device> devices() {
        return devices;
    }

    /** Drops the pack from the page cache: the pages that starts read are there as those of the mounted files, too. */
    void dropPack() throws IOException {
        PageCache.drop(PartialMount.pack(directory()));
    }

    /** A start is about to use it. */
    void markUsed() {
        used = System.nanoTime();
    }

    long usedNanos() {
        return used;
    }

    /** How many of its devices lack their whole objects. */
    int partialObjects() throws IOException {
        int partial = 0;
        for (Device device : devices) {
            partial += device.isWhole() ? 0 : 1;
        }
        return partial;
    }

    /**
     * Gives each device that lacks its object the object, where the store has it.
     *
     * @param files directory of the gate's files, for devices whose objects are missing; they stay as they are when it
     *     is absent
     * @return how many have become whole
     */
    int change(ObjectStore store, Optional<Path> files) throws IOException {
        int whole = 0;
        for (Device device : devices) {
            if (device.isWhole()) {
                continue;
            }
            if (isChanged(device, store)) {
                whole++;
            } else if (files.isPresent()) {
                LoopDevice.change(device.loop(), files.get().resolve(device.file()));
            }
        }
        return whole;
    }

    private static boolean isChanged(Device device, ObjectStore store) throws IOException {
        while (store.has(device.object())) {
            Path object = store.path(device.object());
            try {
                LoopDevice.change(device.loop(), object);
                return true;
            } catch (LinuxException e) {
                if (Files.exists(object)) {
                    throw e;
                }
                // It was evicted.
            }
        }
        return false;
    }
}
