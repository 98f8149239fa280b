package io.faasimage.format.erofs;

import java.util.List;

/** A directory's entries split into blocks, each with its own table of entries followed by their names. */
final class DirectoryBlocks {
    private DirectoryBlocks() {}

    /** Index of the first entry that does not fit into the block that begins with entry {@code first}. */
    static int end(List<Node.Entry> entries, int first) {
        int used = 0;
        int next = first;
        while (next < entries.size()) {
            used += Disk.DIRENT_BYTES + entries.get(next).nameLength();
            if (used > Disk.BLOCK) {
                break;
            }
            next++;
        }
        return next;
    }

    /** Size of the directory in bytes: whole blocks, and the used part of the last one. */
    static long size(List<Node.Entry> entries) {
        long blocks = 0;
        int first = 0;
        int end = end(entries, 0);
        while (end < entries.size()) {
            blocks++;
            first = end;
            end = end(entries, first);
        }
        long last = 0;
        for (Node.Entry entry : entries.subList(first, end)) {
            last += Disk.DIRENT_BYTES + entry.nameLength();
        }
        return blocks * Disk.BLOCK + last;
    }

    /** Index of the first entry of the last block. */
    static int lastBlock(List<Node.Entry> entries) {
        int first = 0;
        int end = end(entries, 0);
        while (end < entries.size()) {
            first = end;
            end = end(entries, first);
        }
        return first;
    }

    /** Writes the entries from {@code first} to before {@code end} as one block, without filling it up. */
    static void write(List<Node.Entry> entries, int first, int end, ImageOutput out) {
        int nameOffset = (end - first) * Disk.DIRENT_BYTES;
        for (Node.Entry entry : entries.subList(first, end)) {
            out.u64(entry.node().nid()).u16(nameOffset);
            out.u8(Disk.fileType(Disk.typeBits(entry.node().inode))).u8(0);
            nameOffset += entry.nameLength();
        }
        for (Node.Entry entry : entries.subList(first, end)) {
            entry.writeName(out);
        }
    }
}
