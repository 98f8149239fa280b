package io.faasimage.format.erofs;

/**
 * The fixed part of an inode as it was read.
 *
 * @param nid number of its slot
 * @param offset where it begins in the image
 * @param dataLayout where the content lies
 * @param xattrBytes size of the extended attributes behind it
 * @param mode type and permission bits
 * @param size of the content, bytes
 * @param detail the 32 bits that mean something else for each kind
 */
record InodeHead(long nid, long offset, int dataLayout, int xattrBytes, int mode, long size, int detail) {
    int type() {
        return mode & Disk.S_IFMT;
    }

    long inlineOffset() {
        return offset + Disk.INODE_BYTES + xattrBytes;
    }

    /** Where the blocks of a flat inode begin. */
    long blockOffset() {
        return (detail & 0xffff_ffffL) * Disk.BLOCK;
    }
}
