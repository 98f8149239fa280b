package io.faasimage.node.plans.partial;

import io.faasimage.format.id.Digest;
import io.faasimage.format.partial.PackExtent;
import io.faasimage.format.partial.PartialLayout;
import io.faasimage.format.partial.PartialObject;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.linux.PageCache;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A view of large objects that shows which of their pages a container reads or maps: a mount of its own, so that
 * nothing is in its page cache at first, and without read-ahead, so that only pages that were read get there. Its users
 * see the objects in full. Thread-safe.
 */
public final class ReadPages {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Path point;
    private final Map<Digest, WholeObject> objects;

    private ReadPages(Path point, List<WholeObject> objects) {
        this.point = point;
        this.objects = objects.stream().collect(Collectors.toMap(WholeObject::digest, Function.identity()));
    }

    /**
     * Mounts the view in {@code directory}, which is made. {@link PartialMount#remove} takes it away, after a failure,
     * too.
     *
     * @param objects each of at least a megabyte, none of them twice
     */
    public static ReadPages mount(Path directory, List<WholeObject> objects) throws IOException {
        Files.createDirectories(directory);
        PartialLayout layout = PartialLayout.of(
                CHUNK_BYTES,
                objects.stream()
                        .map(object -> new PartialObject(object.digest(), object.size(), List.of()))
                        .toList());
        copyLastChunks(PartialMount.pack(directory), layout, objects);
        PartialMount mount = PartialMount.mount(
                directory, layout, objects.stream().map(WholeObject::file).toList());
        return new ReadPages(mount.point(), objects);
    }

    private static void copyLastChunks(Path pack, PartialLayout layout, List<WholeObject> objects) throws IOException {
        try (FileChannel out = FileChannel.open(
                pack, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            for (int i = 0; i < objects.size(); i++) {
                copy(objects.get(i), layout.extents().get(i), out);
            }
            long missing = layout.packBytes() - out.size();
            if (missing > 0) {
                // The last block to its end.
                out.write(ByteBuffer.allocate((int) missing), out.size());
            }
        }
    }

    private static void copy(WholeObject object, PackExtent extent, FileChannel out) throws IOException {
        try (FileChannel in = FileChannel.open(object.file())) {
            out.position(extent.packOffset());
            for (long done = 0; done < extent.length(); ) {
                long copied = in.transferTo(extent.offset() + done, extent.length() - done, out);
                if (copied <= 0) {
                    throw new EOFException(object.file() + " is shorter than its " + object.size() + " bytes");
                }
                done += copied;
            }
        }
    }

    /** Where the view is mounted; a data-only layer of overlayfs. */
    public Path point() {
        return point;
    }

    /** The ranges of {@code object} read since the mount, in whole pages; empty when the view does not have it. */
    public Optional<List<ByteRange>> of(Digest object) throws IOException {
        WholeObject whole = objects.get(object);
        if (whole == null) {
            return Optional.empty();
        }
        BitSet pages = PageCache.resident(point.resolve(object.objectPath()));
        int page = PageCache.pageBytes();
        List<ByteRange> ranges = new ArrayList<>();
        for (int from = pages.nextSetBit(0); from >= 0; ) {
            int to = pages.nextClearBit(from);
            long offset = (long) from * page;
            ranges.add(new ByteRange(offset, Math.min(whole.size(), (long) to * page) - offset));
            from = pages.nextSetBit(to);
        }
        return Optional.of(ranges);
    }
}
