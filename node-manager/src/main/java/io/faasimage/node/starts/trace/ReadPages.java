package io.faasimage.node.starts.trace;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.PageCache;
import io.faasimage.store.pack.Pack;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A view of packs that shows which pages of their large objects a container reads or maps: mounts of its own, so that
 * nothing is in their page cache at first, and with so little read-ahead that few pages get there but those that were
 * read. Thread-safe.
 */
final class ReadPages {
    /** Smaller objects are read as a whole. */
    private static final long LEAST_BYTES = 1 << 20;

    private final List<Path> points = new ArrayList<>();
    private final Map<Digest, Found> objects = new HashMap<>();

    private record Found(Path file, long size) {}

    /** Mounts the packs below {@code directory}, which is made; {@link #remove} takes it away, after a failure, too. */
    static ReadPages mount(Path directory, LargeObjects large, Iterable<Pack> packs) throws IOException {
        ReadPages pages = new ReadPages();
        for (Pack pack : packs) {
            Path point = Files.createDirectories(directory.resolve(Integer.toString(pages.points.size())));
            large.mount(pack, point);
            pages.points.add(point);
            PackLayout layout = pack.layout();
            for (int object = 0; object < layout.objects(); object++) {
                if (layout.size(object) >= LEAST_BYTES) {
                    Digest digest = layout.object(object);
                    pages.objects.put(digest, new Found(point.resolve(digest.objectPath()), layout.size(object)));
                }
            }
        }
        return pages;
    }

    /** Where the view is mounted: data-only layers of overlayfs. */
    List<Path> points() {
        return List.copyOf(points);
    }

    /** The ranges of {@code object} read since the mount, in whole pages; empty when the view does not have it. */
    Optional<List<ByteRange>> of(Digest object) throws IOException {
        Found found = objects.get(object);
        if (found == null) {
            return Optional.empty();
        }
        BitSet pages = PageCache.resident(found.file());
        int page = PageCache.pageBytes();
        List<ByteRange> ranges = new ArrayList<>();
        for (int from = pages.nextSetBit(0); from >= 0; ) {
            int to = pages.nextClearBit(from);
            long offset = (long) from * page;
            ranges.add(new ByteRange(offset, Math.min(found.size(), (long) to * page) - offset));
            from = pages.nextSetBit(to);
        }
        return Optional.of(ranges);
    }

    /** Unmounts what is mounted below {@code directory}, and deletes it; running containers keep their mounts. */
    static void remove(Path directory) throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Mounts.detach(Path.of(entry.target()));
        }
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> points = Files.newDirectoryStream(directory)) {
                for (Path point : points) {
                    Files.delete(point);
                }
            }
            Files.delete(directory);
        }
    }
}
