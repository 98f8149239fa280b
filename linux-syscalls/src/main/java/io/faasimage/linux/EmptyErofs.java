package io.faasimage.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The smallest EROFS image: one block with a superblock and an empty root directory; for {@link MountProbe}. */
final class EmptyErofs {
    private static final int BLOCK = 4096;
    private static final int SUPER = 1024;
    private static final int INODE_SLOT = 32;
    private static final int ROOT = (SUPER + 128) / INODE_SLOT;
    private static final int DIRENT = 12;

    private EmptyErofs() {}

    static byte[] image() {
        ByteBuffer b = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        b.putInt(SUPER, 0xE0F5E1E2);
        b.put(SUPER + 12, (byte) 12); // block size as a power of two
        b.putShort(SUPER + 14, (short) ROOT);
        b.putLong(SUPER + 16, 1); // inodes
        b.putInt(SUPER + 36, 1); // blocks
        int inode = ROOT * INODE_SLOT;
        b.putShort(inode, (short) (2 << 1)); // compact, data inline
        b.putShort(inode + 4, (short) 0x41ed); // directory, rwxr-xr-x
        b.putShort(inode + 6, (short) 2); // links
        b.putInt(inode + 8, 2 * DIRENT + 3); // size
        b.putInt(inode + 20, 1); // inode number
        int entries = inode + INODE_SLOT;
        putEntry(b, entries, 2 * DIRENT);
        putEntry(b, entries + DIRENT, 2 * DIRENT + 1);
        b.put(entries + 2 * DIRENT, "...".getBytes(StandardCharsets.US_ASCII));
        return b.array();
    }

    private static void putEntry(ByteBuffer b, int at, int name) {
        b.putLong(at, ROOT);
        b.putShort(at + 8, (short) name);
        b.put(at + 10, (byte) 2); // a directory
    }
}
