package io.faasimage.node.plans.partial;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.partial.PartialLayout;
import io.faasimage.linux.LoopDevice;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A mount of partial objects in a directory of its own: {@code image}, {@code pack}, and the mount point {@code
 * mnt}, which overlayfs takes as a data-only layer. The kernel reads it alone, without read-ahead: a page that was
 * not read is not in memory, and a chunk that is missing does not fail its neighbours. It outlives this process; its
 * loop devices end with its last user.
 *
 * @param point where it is mounted
 * @param devices the loop devices of its objects, in the order of the layout
 */
public record PartialMount(Path point, List<Path> devices) {
    private static final String IMAGE = "image";
    private static final String PACK = "pack";
    static final String POINT = "mnt";

    public PartialMount {
        devices = List.copyOf(devices);
    }

    /** Where the pack of a mount in {@code directory} lies. */
    public static Path pack(Path directory) {
        return directory.resolve(PACK);
    }

    /** Where a mount in {@code directory} is mounted. */
    static Path point(Path directory) {
        return directory.resolve(POINT);
    }

    /**
     * Mounts {@code layout} in {@code directory}, where its pack is complete. Leaves no mount when it fails; the files
     * stay.
     *
     * @param objects for each object of the layout, in its order, a file of its size that has at least the chunks that
     *     are not in the pack
     */
    public static PartialMount mount(Path directory, PartialLayout layout, List<Path> objects) throws IOException {
        Path image = directory.resolve(IMAGE);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(image))) {
            ErofsWriter.write(layout.image(), out);
        }
        List<LoopDevice> devices = new ArrayList<>();
        try {
            devices.add(attached(pack(directory), layout, 1));
            for (int i = 0; i < objects.size(); i++) {
                devices.add(attached(objects.get(i), layout, PartialLayout.device(i)));
            }
            Path point = Files.createDirectories(directory.resolve(POINT));
            mount(image, devices, point);
            return new PartialMount(
                    point, devices.stream().skip(1).map(LoopDevice::path).toList());
        } finally {
            // The mount uses them from now on.
            devices.forEach(LoopDevice::close);
        }
    }

    /** The kernel does not look whether a device is long enough: missing bytes would be an error, or zeros. */
    private static LoopDevice attached(Path file, PartialLayout layout, int device) throws IOException {
        long needed = layout.image().devices().get(device - 1) * PartialLayout.BLOCK;
        long size = Files.size(file);
        if (size < needed) {
            throw new IOException(file + " has " + size + " bytes, a device of partial objects needs " + needed);
        }
        return LoopDevice.attach(file);
    }

    private static void mount(Path image, List<LoopDevice> devices, Path point) throws IOException {
        StringBuilder options = new StringBuilder();
        for (LoopDevice device : devices) {
            options.append(options.isEmpty() ? "" : ",").append("device=").append(device.path());
        }
        try (LoopDevice device = LoopDevice.attach(image)) {
            device.disableReadAhead();
            Mounts.mount(device.path().toString(), point, "erofs", Mounts.RDONLY, options.toString());
        }
    }

    /** Where the content of the object with the index {@code object} comes from, as far as it is not in the pack. */
    public Path device(int object) {
        return devices.get(object);
    }

    /**
     * Unmounts {@code directory}, if anything is mounted there, and deletes it; running containers keep their mounts.
     */
    public static void remove(Path directory) throws IOException {
        Path point = directory.resolve(POINT);
        while (MountTable.read().at(point).isPresent()) {
            Mounts.detach(point);
        }
        Files.deleteIfExists(point);
        Files.deleteIfExists(pack(directory));
        Files.deleteIfExists(directory.resolve(IMAGE));
        Files.deleteIfExists(directory);
    }
}
