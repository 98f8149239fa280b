package io.faasimage.node.plans.partial;

import io.faasimage.format.id.Digest;
import io.faasimage.format.partial.PackExtent;
import io.faasimage.format.partial.PartialLayout;
import io.faasimage.format.partial.PartialObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.linux.LoopDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A probe whether this kernel reads partial objects right. It is not concluded from a version: a short read of a device
 * is an error on some kernels and zeros on others, bytes of another device were seen, and the change of a device's file
 * is to be removed one day. Takes some 50 ms and needs root.
 */
public final class PartialProbe {
    private static final int CHUNK = 64 << 10;
    private static final int CHUNKS = 5;
    private static final String COPY = "copy";
    private static final String OBJECT = "object";

    private final Path directory;
    private final byte[] content = new byte[CHUNKS * CHUNK];

    private PartialProbe(Path directory) {
        this.directory = directory;
        for (int i = 0; i < CHUNKS; i++) {
            Arrays.fill(content, i * CHUNK, (i + 1) * CHUNK, (byte) ('a' + i));
        }
    }

    /**
     * The kernel's fault; empty when partial objects can be used.
     *
     * @param state an existing directory; cleaned up afterwards
     */
    public static Optional<String> problem(Path state) throws IOException {
        Path directory = Files.createTempDirectory(state.toRealPath(), "partial");
        PartialProbe probe = new PartialProbe(directory);
        try {
            return probe.run();
        } catch (IOException e) {
            return Optional.of("partial objects cannot be mounted: " + e.getMessage());
        } finally {
            Files.deleteIfExists(directory.resolve(COPY));
            Files.deleteIfExists(directory.resolve(OBJECT));
            PartialMount.remove(directory);
        }
    }

    private Optional<String> run() throws IOException {
        Digest digest = Digest.of(content);
        Path object = Files.write(directory.resolve(OBJECT), content);
        PartialLayout layout = PartialLayout.of(
                CHUNK, List.of(new PartialObject(digest, content.length, List.of(new IndexRange(1, 2)))));
        try (FileChannel pack = FileChannel.open(
                PartialMount.pack(directory), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (PackExtent extent : layout.extents()) {
                pack.write(ByteBuffer.wrap(content, (int) extent.offset(), (int) extent.length()), extent.packOffset());
            }
        }
        PartialMount mount = PartialMount.mount(directory, layout, List.of(object));
        try (FileChannel file = FileChannel.open(mount.point().resolve(digest.objectPath()))) {
            return problem(file, object, mount.device(0));
        }
    }

    private Optional<String> problem(FileChannel file, Path object, Path device) throws IOException {
        truncate(object, 0);
        if (!isRead(file, 1)) {
            return Optional.of("a chunk that is present cannot be read, or has other bytes");
        }
        if (isAnswered(file, 2)) {
            return Optional.of("a chunk that its device does not answer is no error");
        }
        if (!isRead(file, 1)) {
            return Optional.of("a missing chunk takes its neighbour along");
        }
        truncate(object, content.length);
        LoopDevice.change(device, Files.write(directory.resolve(COPY), content));
        for (int chunk : new int[] {0, 2}) {
            if (!isRead(file, chunk)) {
                return Optional.of("after a change of a device's file its chunks cannot be read, or have other bytes");
            }
        }
        ByteBuffer all = ByteBuffer.allocate(content.length);
        while (all.hasRemaining() && file.read(all, all.position()) > 0) {
            // Until everything, or all that there is, was read.
        }
        return Arrays.equals(all.array(), content)
                ? Optional.empty()
                : Optional.of("a read over several devices gives other bytes");
    }

    private static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            if (size > 0) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
        }
    }

    private boolean isRead(FileChannel file, int chunk) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
        while (bytes.hasRemaining() && file.read(bytes, (long) chunk * CHUNK + bytes.position()) > 0) {
            // Until the whole chunk, or all that there is, was read.
        }
        return bytes.flip().equals(ByteBuffer.wrap(content, chunk * CHUNK, CHUNK));
    }

    private static boolean isAnswered(FileChannel file, int chunk) {
        try {
            file.read(ByteBuffer.allocate(CHUNK), (long) chunk * CHUNK);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
