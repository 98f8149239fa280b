package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Inode;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The numbers of the EROFS layout that we use, named as in the kernel's {@code erofs_fs.h} where it has a name. */
final class Disk {
    static final int BLOCK_BITS = 12;
    static final int BLOCK = 1 << BLOCK_BITS;
    static final int SLOT = 32;

    static final int SUPER_OFFSET = 1024;
    static final int SUPER_BYTES = 128;
    static final int SUPER_MAGIC = 0xE0F5E1E2;
    static final int CHECKSUM_OFFSET = 4;
    static final int INODES_OFFSET = 16;
    static final int BLOCKS_OFFSET = 36;
    static final int UUID_OFFSET = 48;
    static final int UUID_BYTES = 16;
    static final int INCOMPAT_OFFSET = 80;

    static final int COMPAT_SB_CHKSUM = 1;
    static final int COMPAT_MTIME = 2;
    static final int INCOMPAT_ZERO_PADDING = 1;
    static final int INCOMPAT_COMPR_CFGS = 2;
    static final int INCOMPAT_CHUNKED_FILE = 4;
    static final int INCOMPAT_DEVICE_TABLE = 8;
    static final int INCOMPAT_48BIT = 0x80;
    static final int ROOT_NID_OFFSET = 112;

    static final int ALGORITHM_ZSTD = 3;
    /** Length, and then format, log2 of the window beyond 1 KiB, and four zeros. */
    static final int ZSTD_CONFIG_BYTES = 6;

    static final int ZSTD_WINDOW_LOG = 10;

    static final int DEVICE_SLOT_BYTES = 128;
    /** Behind the superblock and the settings of the decompressor. */
    static final int DEVICE_SLOT_OFFSET = SUPER_OFFSET + SUPER_BYTES + DEVICE_SLOT_BYTES;

    static final int DEVICE_TAG_BYTES = 64;

    static final int INODE_BYTES = 64;
    static final int LINKS_OFFSET = 44;
    static final int VERSION_EXTENDED = 1;
    static final int FLAT_PLAIN = 0;
    static final int COMPRESSED_FULL = 1;
    static final int FLAT_INLINE = 2;
    static final int CHUNK_BASED = 4;
    static final int CHUNK_BITS_MASK = 31;
    static final int CHUNK_ENTRY_BYTES = 4;
    static final int NULL_ADDRESS = -1;

    static final int DIRENT_BYTES = 12;

    static final int XATTR_HEADER_BYTES = 12;
    static final int XATTR_ENTRY_BYTES = 4;
    static final int XATTR_MAX_BYTES = XATTR_HEADER_BYTES + 4 * (0xffff - 1);

    static final int S_IFMT = 0170000;
    static final int S_IFSOCK = 0140000;
    static final int S_IFLNK = 0120000;
    static final int S_IFREG = 0100000;
    static final int S_IFBLK = 0060000;
    static final int S_IFDIR = 0040000;
    static final int S_IFCHR = 0020000;
    static final int S_IFIFO = 0010000;

    static final String OVERLAY_PREFIX = "trusted.overlay.";
    static final String OVERLAY_METACOPY = OVERLAY_PREFIX + "metacopy";
    static final String OVERLAY_REDIRECT = OVERLAY_PREFIX + "redirect";

    /** A slash, two hex digits, a slash, 62 hex digits. */
    static final int REDIRECT_BYTES = 66;

    private Disk() {}

    /** Type bits of {@code st_mode}. */
    static int typeBits(Inode inode) {
        return switch (inode) {
            case Inode.Directory d -> S_IFDIR;
            case Inode.RegularFile f -> S_IFREG;
            case Inode.Symlink s -> S_IFLNK;
            case Inode.Special s ->
                switch (s.kind()) {
                    case CHARACTER_DEVICE -> S_IFCHR;
                    case BLOCK_DEVICE -> S_IFBLK;
                    case FIFO -> S_IFIFO;
                    case SOCKET -> S_IFSOCK;
                };
        };
    }

    /** The file type of a directory entry for these type bits; 0 when there is none. */
    static int fileType(int typeBits) {
        return switch (typeBits) {
            case S_IFREG -> 1;
            case S_IFDIR -> 2;
            case S_IFCHR -> 3;
            case S_IFBLK -> 4;
            case S_IFIFO -> 5;
            case S_IFSOCK -> 6;
            case S_IFLNK -> 7;
            default -> 0;
        };
    }

    /** The target of a stub's redirect: an absolute path in the data layers. */
    static String redirect(Digest content) {
        return "/" + content.objectPath();
    }

    /** The kernel's 32-bit device number. */
    static int encodeDevice(int major, int minor) {
        return (minor & 0xff) | (major << 8) | ((minor & ~0xff) << 12);
    }

    static int deviceMajor(int device) {
        return (device >>> 8) & 0xfff;
    }

    static int deviceMinor(int device) {
        return (device & 0xff) | ((device >>> 12) & 0xfff00);
    }

    /** The superblock's checksum over the rest of the first block, in which its own field is 0. */
    static int superChecksum(byte[] firstBlock) {
        CRC32C crc = new CRC32C();
        crc.update(firstBlock, SUPER_OFFSET, BLOCK - SUPER_OFFSET);
        return ~(int) crc.getValue();
    }

    /** A UUID of version 8 (RFC 9562) from the beginning of a hash. */
    static byte[] uuid(byte[] hash) {
        byte[] uuid = Arrays.copyOf(hash, UUID_BYTES);
        uuid[6] = (byte) ((uuid[6] & 0x0f) | 0x80);
        uuid[8] = (byte) ((uuid[8] & 0x3f) | 0x80);
        return uuid;
    }

    static long roundUp(long value, int unit) {
        return (value + unit - 1) & -unit;
    }
}
