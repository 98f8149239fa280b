package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;

/**
 * A writer of a file tree as a metadata image, an EROFS file system of 4 KiB blocks that Linux 6.5 and later mount. The
 * same tree gives the same bytes. Stateless.
 *
 * <p>Implementation notes: the image is produced twice, first into a hash and then to the stream. The UUID is made of
 * that hash, for overlayfs distinguishes layers by it; and both the UUID and the checksum of the first block stand at
 * the beginning of a stream that is never rewound.
 */
public final class ErofsWriter {
    private ErofsWriter() {}

    /**
     * True when a metadata image has a place for the extended attribute {@code name}, which is not one of overlayfs.
     */
    public static boolean storesXattr(String name) {
        return XattrName.of(name).isPresent() && !name.startsWith(Disk.OVERLAY_PREFIX);
    }

    /**
     * Writes {@code tree} to {@code out}, which is neither flushed nor closed.
     *
     * @throws TreeRefusedException before the first byte when the tree holds what an image must not or cannot hold:
     *     extended attributes of overlayfs or of unknown kinds, or ones too large, or a file above 8 TiB
     */
    public static void write(FileTree tree, OutputStream out) throws IOException {
        ImageLayout layout = ImageLayout.of(tree);
        try {
            FirstBlock firstBlock = new FirstBlock();
            MessageDigest sha256 = Digest.newSha256();
            emit(layout, new byte[Disk.UUID_BYTES], 0, new DigestOutputStream(firstBlock, sha256));
            byte[] uuid = Disk.uuid(sha256.digest());
            int checksum = firstBlock.checksum(layout, uuid);
            emit(layout, uuid, checksum, out);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void emit(ImageLayout layout, byte[] uuid, int checksum, OutputStream stream) {
        ImageOutput out = new ImageOutput(stream);
        out.zeros(Disk.SUPER_OFFSET);
        superblock(layout, uuid, checksum, out);
        for (Node node : layout.nodes()) {
            out.padTo(node.offset);
            inode(node, out);
            Xattrs.write(node.inode, out);
            inlineContent(node, out);
        }
        for (Node node : layout.nodes()) {
            if (node.blocks > 0) {
                out.padTo(node.blockAddress * Disk.BLOCK);
                blocks(node, out);
            }
        }
        out.padTo(layout.blocks() * Disk.BLOCK);
        out.flush();
    }

    private static void superblock(ImageLayout layout, byte[] uuid, int checksum, ImageOutput out) {
        out.u32(Disk.SUPER_MAGIC).u32(checksum).u32(Disk.COMPAT_SB_CHKSUM | Disk.COMPAT_MTIME);
        out.u8(Disk.BLOCK_BITS).u8(0); // no extension slots
        out.u16((int) layout.nodes().getFirst().nid()).u64(layout.nodes().size());
        out.u64(0).u32(0); // build time: each inode has its own
        out.u32((int) layout.blocks()).u32(0).u32(0); // inodes are counted from block 0, no shared xattrs
        out.raw(uuid).zeros(16); // no volume name
        out.u32(Disk.INCOMPAT_CHUNKED_FILE);
        out.padTo(Disk.SUPER_OFFSET + Disk.SUPER_BYTES);
    }

    private static void inode(Node node, ImageOutput out) {
        Attributes attributes = node.inode.attributes();
        int xattrCount = node.xattrSize == 0 ? 0 : (node.xattrSize - Disk.XATTR_HEADER_BYTES) / 4 + 1;
        out.u16(Disk.VERSION_EXTENDED | node.dataLayout << 1).u16(xattrCount);
        out.u16(Disk.typeBits(node.inode) | attributes.mode()).u16(0);
        out.u64(node.size).u32(detail(node)).u32(node.number);
        out.u32(attributes.uid()).u32(attributes.gid());
        out.u64(attributes.mtimeSeconds()).u32(attributes.mtimeNanos());
        out.u32(node.links).zeros(16);
    }

    /** The inode's 32 bits that mean something else for each kind. */
    private static int detail(Node node) {
        if (node.inode instanceof Inode.Special special) {
            return Disk.encodeDevice(special.major(), special.minor());
        }
        boolean flat = node.dataLayout == Disk.FLAT_PLAIN || node.dataLayout == Disk.FLAT_INLINE;
        return flat ? (int) node.blockAddress : node.contentDetail;
    }

    private static void inlineContent(Node node, ImageOutput out) {
        if (node.inlineBytes == 0) {
            return;
        }
        switch (node.inode) {
            case Inode.Directory d ->
                DirectoryBlocks.write(node.entries, DirectoryBlocks.lastBlock(node.entries), node.entries.size(), out);
            case Inode.Symlink link -> out.raw(link.target(), 0);
            case Inode.RegularFile f -> out.u32(Disk.NULL_ADDRESS);
            case Inode.Special s -> throw new IllegalStateException("a special file has no content");
        }
    }

    private static void blocks(Node node, ImageOutput out) {
        if (node.inode instanceof Inode.Symlink link) {
            out.raw(link.target(), 0);
            return;
        }
        List<Node.Entry> entries = node.entries;
        int first = 0;
        for (int block = 0; block < node.blocks; block++) {
            out.padTo((node.blockAddress + block) * Disk.BLOCK);
            int end = DirectoryBlocks.end(entries, first);
            DirectoryBlocks.write(entries, first, end, out);
            first = end;
        }
    }

    /** Keeps a copy of the first block that is written to it. */
    private static final class FirstBlock extends OutputStream {
        private final byte[] block = new byte[Disk.BLOCK];
        private int size;

        @Override
        public void write(int value) {
            if (size < block.length) {
                block[size++] = (byte) value;
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            int n = Math.min(length, block.length - size);
            System.arraycopy(bytes, offset, block, size, n);
            size += n;
        }

        /** The checksum that belongs to the block once it has {@code uuid}. */
        int checksum(ImageLayout layout, byte[] uuid) {
            FirstBlock head = new FirstBlock();
            ImageOutput out = new ImageOutput(head);
            out.zeros(Disk.SUPER_OFFSET);
            superblock(layout, uuid, 0, out);
            out.flush();
            System.arraycopy(head.block, 0, block, 0, head.size);
            return Disk.superChecksum(block);
        }
    }
}
