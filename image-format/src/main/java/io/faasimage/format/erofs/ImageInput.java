package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checked access to the bytes of an image whose superblock is right. */
final class ImageInput {
    private static final String FORMAT = "metadata image";

    private static final long UNMETERED = -1;

    private final ByteBuffer buffer;
    private final int length;
    private final long metaStart;
    private final int rootNid;
    private long budget;

    /** For one reading of the whole: no byte may be read twice. */
    static ImageInput metered(ByteBuffer bytes) throws FormatException {
        return new ImageInput(bytes, bytes.remaining());
    }

    /** For looking things up again and again, on any number of threads. */
    static ImageInput unmetered(ByteBuffer bytes) throws FormatException {
        return new ImageInput(bytes, UNMETERED);
    }

    private ImageInput(ByteBuffer bytes, long budget) throws FormatException {
        this.buffer = bytes.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        this.length = buffer.capacity();
        this.budget = budget;
        if (length < Disk.BLOCK || length % Disk.BLOCK != 0) {
            throw bad("it has " + length + " bytes, not a number of blocks");
        }
        int at = Disk.SUPER_OFFSET;
        if (buffer.getInt(at) != Disk.SUPER_MAGIC) {
            throw FormatException.corrupt("not a metadata image: no EROFS superblock");
        }
        byte[] first = new byte[Disk.BLOCK];
        buffer.get(0, first);
        Arrays.fill(first, at + Disk.CHECKSUM_OFFSET, at + Disk.CHECKSUM_OFFSET + 4, (byte) 0);
        if (Disk.superChecksum(first) != buffer.getInt(at + Disk.CHECKSUM_OFFSET)) {
            throw bad("checksum of the superblock is wrong");
        }
        checkFeatures(at);
        if (u32(at + 36) != length / Disk.BLOCK) {
            throw bad("it has " + length / Disk.BLOCK + " blocks instead of " + u32(at + 36));
        }
        metaStart = u32(at + 40) * Disk.BLOCK;
        rootNid = u16(at + 14);
    }

    private void checkFeatures(int at) throws FormatException {
        int features = buffer.getInt(at + 80);
        if ((features & ~Disk.INCOMPAT_CHUNKED_FILE) != 0) {
            throw new FormatException(
                    FormatException.Kind.TOO_NEW,
                    FORMAT + " has EROFS features 0x" + Integer.toHexString(features)
                            + " that this program does not read: upgrade it");
        }
        if (buffer.get(at + 12) != Disk.BLOCK_BITS || buffer.getShort(at + 86) != 0 || buffer.get(at + 90) != 0) {
            throw bad("its blocks are not of 4 KiB, or it has further devices");
        }
    }

    int rootNid() {
        return rootNid;
    }

    /** Where the inode {@code nid} begins. */
    long inodeOffset(long nid) throws FormatException {
        if (nid < 0 || nid > length / Disk.SLOT) {
            throw bad("no inode " + nid);
        }
        return check(metaStart + nid * Disk.SLOT, Disk.INODE_BYTES);
    }

    /** Takes {@code count} from the bytes that may be read in total; no byte of a sound image is read twice. */
    void charge(long count) throws FormatException {
        if (budget == UNMETERED) {
            return;
        }
        if (count < 0 || count > budget) {
            throw bad("parts of it overlap");
        }
        budget -= count;
    }

    int u8(long at) throws FormatException {
        return buffer.get((int) check(at, 1)) & 0xff;
    }

    int u16(long at) throws FormatException {
        return buffer.getShort((int) check(at, 2)) & 0xffff;
    }

    int i32(long at) throws FormatException {
        return buffer.getInt((int) check(at, 4));
    }

    long u32(long at) throws FormatException {
        return i32(at) & 0xffff_ffffL;
    }

    long i64(long at) throws FormatException {
        return buffer.getLong((int) check(at, 8));
    }

    /** {@code count} bytes, one per char. */
    String chars(long at, int count) throws FormatException {
        return new String(raw(at, count), StandardCharsets.ISO_8859_1);
    }

    byte[] raw(long at, int count) throws FormatException {
        int start = (int) check(at, count);
        byte[] copy = new byte[count];
        buffer.get(start, copy);
        return copy;
    }

    /** {@code at}, when {@code count} bytes are there. */
    long check(long at, long count) throws FormatException {
        if (at < 0 || count < 0 || at > length - count) {
            throw bad("something lies beyond its end");
        }
        return at;
    }

    FormatException bad(String reason) {
        return FormatException.corrupt(FORMAT + " is damaged: " + reason + "; fetch it again");
    }
}
