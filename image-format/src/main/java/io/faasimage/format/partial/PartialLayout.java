package io.faasimage.format.partial;

import io.faasimage.format.erofs.ChunkRun;
import io.faasimage.format.erofs.ChunkedFile;
import io.faasimage.format.erofs.ChunkedImage;
import io.faasimage.format.plan.IndexRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of partial objects over the devices of a {@link ChunkedImage}. Device 1 is the pack, with the chunks that
 * are needed; each object has a device of its own for all others, which is the object itself or a stand-in for it. The
 * same objects give the same layout.
 *
 * <p>Two rules of the kernel shape it. A loop device leaves out the bytes behind the last whole sector of its file, so
 * the last chunk of each object is always in the pack. And the kernel joins reads by their sector numbers, without a
 * look at the device (wrong bytes were seen on Linux 6.18), so no address in the pack may follow one of another device:
 * the pack begins with a hole, longer than the largest object.
 *
 * @param image to be mounted over the devices
 * @param extents the content of the pack, in its order
 * @param packBytes size of the pack, a multiple of 4 KiB
 */
public record PartialLayout(ChunkedImage image, List<PackExtent> extents, long packBytes) {
    /** Bytes of a block, in which devices are counted. */
    public static final int BLOCK = 4096;

    private static final long GAP_BLOCKS = 256;

    public PartialLayout {
        extents = List.copyOf(extents);
    }

    /**
     * Lays out objects.
     *
     * @param chunkBytes size of a chunk, a power of two from 4 KiB on
     * @param objects each larger than a chunk, none of them twice
     */
    public static PartialLayout of(int chunkBytes, List<PartialObject> objects) {
        return new Builder(chunkBytes, objects).build();
    }

    /** The number of the device of the object with the index {@code object}. */
    public static int device(int object) {
        return object + 2;
    }

    private static final class Builder {
        private final int chunkBytes;
        private final List<PartialObject> objects;
        private final List<PackExtent> extents = new ArrayList<>();
        private long packBlock;

        Builder(int chunkBytes, List<PartialObject> objects) {
            this.chunkBytes = chunkBytes;
            this.objects = objects;
            for (PartialObject object : objects) {
                if (object.size() <= chunkBytes) {
                    throw new IllegalArgumentException(
                            "object " + object.digest() + " has only " + object.size() + " bytes");
                }
                packBlock = Math.max(packBlock, object.size() / BLOCK + GAP_BLOCKS);
            }
        }

        PartialLayout build() {
            List<ChunkedFile> files = new ArrayList<>();
            for (int i = 0; i < objects.size(); i++) {
                PartialObject object = objects.get(i);
                files.add(new ChunkedFile(object.digest(), object.size(), runs(object, device(i))));
            }
            List<Long> devices = new ArrayList<>();
            devices.add(packBlock);
            objects.forEach(object -> devices.add(object.size() / BLOCK));
            return new PartialLayout(new ChunkedImage(chunkBytes, devices, files), extents, packBlock * BLOCK);
        }

        private List<ChunkRun> runs(PartialObject object, int device) {
            List<ChunkRun> runs = new ArrayList<>();
            int next = 0;
            for (IndexRange range : withLast(object)) {
                if (range.from() > next) {
                    runs.add(new ChunkRun(range.from() - next, device, (long) next * (chunkBytes / BLOCK)));
                }
                runs.add(pack(object, range));
                next = range.to();
            }
            return runs;
        }

        private ChunkRun pack(PartialObject object, IndexRange range) {
            long offset = (long) range.from() * chunkBytes;
            long length = Math.min(object.size(), (long) range.to() * chunkBytes) - offset;
            ChunkRun run = new ChunkRun(range.size(), 1, packBlock);
            extents.add(new PackExtent(object.digest(), offset, length, packBlock * BLOCK));
            packBlock += (length - 1) / BLOCK + 1;
            return run;
        }

        private List<IndexRange> withLast(PartialObject object) {
            int chunks = Math.toIntExact((object.size() - 1) / chunkBytes + 1);
            List<IndexRange> ranges = new ArrayList<>(object.chunks());
            int end = ranges.isEmpty() ? 0 : ranges.getLast().to();
            if (end > chunks) {
                throw new IllegalArgumentException(
                        "object " + object.digest() + " has " + chunks + " chunks, not " + end);
            }
            if (end == chunks - 1 && end > 0) {
                ranges.add(new IndexRange(ranges.removeLast().from(), chunks));
            } else if (end < chunks) {
                ranges.add(new IndexRange(chunks - 1, chunks));
            }
            return ranges;
        }
    }
}
