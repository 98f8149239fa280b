package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The EROFS image over a pack: each object is a file whose content lies as zstd frames in the pack. Linux 6.15 and
 * later mount both together, and overlayfs takes the mount as a data-only layer. The kernel decompresses a frame when
 * it is read first. A pack may be mounted before its frames are there: reading what is missing fails, and is right as
 * soon as the frame has been written. The same layout gives the same bytes.
 *
 * <p>Implementation notes: a start waits for this image, so it is written in one pass into one buffer, without a tree
 * of files. Behind each inode of an object lie its encoded extents, one for each frame, at byte addresses (the kernel's
 * 48-bit layout). They have their logical address, so that the kernel finds one by bisection; those without it are
 * searched one by one.
 */
public final class PackImage {
    /**
     * Where the pack's addresses begin, in blocks, behind those of any image: the kernel joins neighbouring reads by
     * their addresses, without a look at the device.
     */
    private static final long PACK_BLOCK = 1L << 28;

    private static final int HEAD_BYTES = Disk.DEVICE_SLOT_OFFSET + Disk.DEVICE_SLOT_BYTES;
    private static final int MODE_DIRECTORY = Disk.S_IFDIR | 0755;
    private static final int MODE_FILE = Disk.S_IFREG | 0444;

    private static final int EXTENTS_HEADER_BYTES = 8;
    private static final int ADVISE_EXTENTS = 1;
    private static final int ADVISE_RECORD_SHIFT = 1;
    private static final int RECORD_BYTES = 16;
    /** With the upper half of the logical address. */
    private static final int WIDE_RECORD_BYTES = 32;

    private static final int FORMAT_SHIFT = 28;
    /** One more than the number of the algorithm. */
    private static final int FORMAT_ZSTD = Disk.ALGORITHM_ZSTD + 1;

    private final PackLayout layout;
    /** Where the inode of each object begins, bytes; in the order of their digests, as everything here. */
    private final int[] places;

    private final List<Directory> directories = new ArrayList<>();
    private final Directory root;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private int number;

    /** A directory: of the objects {@code from} to before {@code to}, or of all directories. */
    private static final class Directory {
        /** Of {@code .} and {@code ..}. */
        private static final int DOTS_BYTES = 2 * Disk.DIRENT_BYTES + 3;
        /** Beyond that, gaps before inodes cost more than a block. */
        private static final int MAX_INLINE_BYTES = Disk.BLOCK / 2;

        final int from;
        final int to;
        final int nameBytes;
        int place;
        /** Of the blocks with its entries; 0 when they lie behind its inode. */
        int block;

        Directory(int from, int to, int nameBytes) {
            this.from = from;
            this.to = to;
            this.nameBytes = nameBytes;
        }

        private int entryBytes() {
            return Disk.DIRENT_BYTES + nameBytes;
        }

        /** How many entries the first block has beside the dots. */
        int inFirst() {
            return Math.min(to - from, (Disk.BLOCK - DOTS_BYTES) / entryBytes());
        }

        int inOther() {
            return Disk.BLOCK / entryBytes();
        }

        int blocks() {
            return 1 + Math.ceilDiv(to - from - inFirst(), inOther());
        }

        int size() {
            int others = to - from - inFirst();
            return others == 0
                    ? DOTS_BYTES + inFirst() * entryBytes()
                    : (blocks() - 1) * Disk.BLOCK + ((others - 1) % inOther() + 1) * entryBytes();
        }

        boolean isInline() {
            return size() <= MAX_INLINE_BYTES;
        }
    }

    private PackImage(PackLayout layout) {
        this.layout = layout;
        places = new int[layout.objects()];
        for (int from = 0, to = 0; from < layout.objects(); from = to) {
            while (to < layout.objects() && first(to) == first(from)) {
                to++;
            }
            directories.add(new Directory(from, to, 2 * (Digest.BYTES - 1)));
        }
        root = new Directory(0, directories.size(), 2);
    }

    private Digest digest(int at) {
        return layout.object(layout.byDigest(at));
    }

    /** The first byte of a digest. */
    private int first(int at) {
        return (int) (digest(at).a() >>> 56);
    }

    /**
     * The bytes of the image over a pack.
     *
     * @throws ArithmeticException when it would be larger than 2 GiB
     */
    public static byte[] of(PackLayout layout) {
        PackImage image = new PackImage(layout);
        image.out = ByteBuffer.allocate(image.place()).order(ByteOrder.LITTLE_ENDIAN);
        image.write();
        return image.out.array();
    }

    /** Places all inodes and blocks; returns the size of the image. */
    private int place() {
        int end = place(root, HEAD_BYTES);
        for (Directory directory : directories) {
            end = place(directory, end);
            for (int at = directory.from; at < directory.to; at++) {
                int object = layout.byDigest(at);
                places[at] = roundUp(end, Disk.SLOT);
                end = Math.addExact(
                        places[at],
                        extentsAt(object)
                                + Math.multiplyExact(layout.framesOf(object).size(), recordBytes(object)));
            }
        }
        end = placeBlocks(root, roundUp(end, Disk.BLOCK));
        for (Directory directory : directories) {
            end = placeBlocks(directory, end);
        }
        return end;
    }

    /** The kernel refuses entries behind an inode that cross the end of a block. */
    private static int place(Directory directory, int end) {
        int bytes = Disk.INODE_BYTES + (directory.isInline() ? directory.size() : 0);
        int place = roundUp(end, Disk.SLOT);
        directory.place = place % Disk.BLOCK + bytes > Disk.BLOCK ? roundUp(place, Disk.BLOCK) : place;
        return directory.place + bytes;
    }

    private static int placeBlocks(Directory directory, int end) {
        if (directory.isInline()) {
            return end;
        }
        directory.block = end / Disk.BLOCK;
        return Math.addExact(end, directory.blocks() * Disk.BLOCK);
    }

    private static int roundUp(int value, int unit) {
        return Math.toIntExact(Disk.roundUp(value, unit));
    }

    private int recordBytes(int object) {
        return layout.size(object) > 0xffff_ffffL ? WIDE_RECORD_BYTES : RECORD_BYTES;
    }

    /** Where the extents begin behind the beginning of the inode: at a multiple of their length. */
    private int extentsAt(int object) {
        return roundUp(Disk.INODE_BYTES + EXTENTS_HEADER_BYTES, recordBytes(object));
    }

    private void write() {
        superblock();
        directory(root, root);
        for (Directory directory : directories) {
            directory(directory, root);
            for (int at = directory.from; at < directory.to; at++) {
                object(places[at], layout.byDigest(at));
            }
        }
        byte[] hash = Digest.of(out.array()).bytes();
        out.put(Disk.SUPER_OFFSET + Disk.UUID_OFFSET, Disk.uuid(hash));
        out.putInt(Disk.SUPER_OFFSET + Disk.CHECKSUM_OFFSET, Disk.superChecksum(out.array()));
    }

    private void superblock() {
        out.position(Disk.SUPER_OFFSET).putInt(Disk.SUPER_MAGIC).putInt(0);
        out.putInt(Disk.COMPAT_SB_CHKSUM | Disk.COMPAT_MTIME).put((byte) Disk.BLOCK_BITS);
        out.position(Disk.SUPER_OFFSET + Disk.INODES_OFFSET).putLong(1L + directories.size() + layout.objects());
        out.position(Disk.SUPER_OFFSET + Disk.BLOCKS_OFFSET).putInt(out.capacity() / Disk.BLOCK);
        out.position(Disk.SUPER_OFFSET + Disk.INCOMPAT_OFFSET)
                .putInt(Disk.INCOMPAT_ZERO_PADDING
                        | Disk.INCOMPAT_COMPR_CFGS
                        | Disk.INCOMPAT_DEVICE_TABLE
                        | Disk.INCOMPAT_48BIT)
                .putShort((short) (1 << Disk.ALGORITHM_ZSTD))
                .putShort((short) 1)
                .putShort((short) (Disk.DEVICE_SLOT_OFFSET / Disk.DEVICE_SLOT_BYTES));
        out.position(Disk.SUPER_OFFSET + Disk.ROOT_NID_OFFSET).putLong(nid(root.place));
        out.position(Disk.SUPER_OFFSET + Disk.SUPER_BYTES)
                .putShort((short) Disk.ZSTD_CONFIG_BYTES)
                .put((byte) 0)
                .put((byte) Disk.ZSTD_WINDOW_LOG);
        out.position(Disk.DEVICE_SLOT_OFFSET + Disk.DEVICE_TAG_BYTES)
                .putInt((int) (Disk.roundUp(layout.bytes(), Disk.BLOCK) / Disk.BLOCK))
                .putInt((int) PACK_BLOCK);
    }

    private static long nid(int place) {
        return place / Disk.SLOT;
    }

    private void inode(int place, int dataLayout, int mode, long size, int detail, int links) {
        out.position(place).putShort((short) (Disk.VERSION_EXTENDED | dataLayout << 1));
        out.putShort((short) 0).putShort((short) mode).putShort((short) 0);
        out.putLong(size).putInt(detail).putInt(++number);
        out.position(place + Disk.LINKS_OFFSET).putInt(links);
        out.position(place + Disk.INODE_BYTES);
    }

    private void directory(Directory directory, Directory parent) {
        int dataLayout = directory.isInline() ? Disk.FLAT_INLINE : Disk.FLAT_PLAIN;
        int links = 2 + (directory == root ? directories.size() : 0);
        inode(directory.place, dataLayout, MODE_DIRECTORY, directory.size(), directory.block, links);
        if (!directory.isInline()) {
            out.position(directory.block * Disk.BLOCK);
        }
        int begin = out.position();
        int end = directory.from + directory.inFirst();
        int names = (2 + directory.inFirst()) * Disk.DIRENT_BYTES;
        entry(directory.place, names, MODE_DIRECTORY);
        entry(parent.place, names + 1, MODE_DIRECTORY);
        entries(directory, directory.from, end, names + 3);
        out.put(begin + names, new byte[] {'.', '.', '.'});
        for (int block = 1; block < directory.blocks(); block++) {
            int from = end;
            end = Math.min(directory.to, from + directory.inOther());
            out.position(begin + block * Disk.BLOCK);
            entries(directory, from, end, (end - from) * Disk.DIRENT_BYTES);
        }
    }

    /** Writes entries, and their names behind them and {@code names} behind the beginning of the block. */
    private void entries(Directory directory, int from, int to, int names) {
        boolean isRoot = directory == root;
        for (int at = from; at < to; at++) {
            entry(
                    isRoot ? directories.get(at).place : places[at],
                    names + (at - from) * directory.nameBytes,
                    isRoot ? MODE_DIRECTORY : MODE_FILE);
        }
        if (from == directory.from) {
            out.position(out.position() + 3);
        }
        for (int at = from; at < to; at++) {
            String hex = digest(isRoot ? directories.get(at).from : at).hex();
            out.put(hex.getBytes(StandardCharsets.US_ASCII), isRoot ? 0 : 2, directory.nameBytes);
        }
    }

    private void entry(int place, int name, int mode) {
        out.putLong(nid(place)).putShort((short) name);
        out.put((byte) Disk.fileType(mode & Disk.S_IFMT)).put((byte) 0);
    }

    private void object(int place, int object) {
        IndexRange frames = layout.framesOf(object);
        int record = recordBytes(object);
        long stored = 0;
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            stored += layout.length(frame);
        }
        long blocks = Disk.roundUp(stored, Disk.BLOCK) / Disk.BLOCK;
        inode(place, Disk.COMPRESSED_FULL, MODE_FILE, layout.size(object), (int) blocks, 1);
        out.putInt(frames.size());
        out.putShort((short) (ADVISE_EXTENTS | Integer.numberOfTrailingZeros(record / 4) << ADVISE_RECORD_SHIFT));
        out.position(place + extentsAt(object));
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            long logical = (long) (frame - frames.from()) * ObjectFrames.CONTENT_BYTES;
            out.putInt(layout.length(frame) | FORMAT_ZSTD << FORMAT_SHIFT);
            out.putLong(PACK_BLOCK * Disk.BLOCK + layout.offset(frame));
            if (record == WIDE_RECORD_BYTES) {
                out.putLong(logical).position(out.position() + WIDE_RECORD_BYTES - 20);
            } else {
                out.putInt((int) logical);
            }
        }
    }
}
