package io.faasimage.format.erofs;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.util.ArrayList;
import java.util.List;

/** One inode of the image and where it lies; filled in by {@link ImageLayout}. */
final class Node {
    /**
     * A name in a directory.
     *
     * @param path its full path; for {@code .} and {@code ..} the directory's own
     * @param dots 1 for {@code .}, 2 for {@code ..}, 0 for any other name
     */
    record Entry(FilePath path, int dots, Node node) {
        int nameLength() {
            return dots > 0 ? dots : path.raw().length() - nameStart();
        }

        char nameByte(int i) {
            return dots > 0 ? '.' : path.raw().charAt(nameStart() + i);
        }

        void writeName(ImageOutput out) {
            if (dots > 0) {
                out.raw("..", 2 - dots);
            } else {
                out.raw(path.raw(), nameStart());
            }
        }

        boolean isBefore(Entry other) {
            int common = Math.min(nameLength(), other.nameLength());
            for (int i = 0; i < common; i++) {
                if (nameByte(i) != other.nameByte(i)) {
                    return nameByte(i) < other.nameByte(i);
                }
            }
            return nameLength() < other.nameLength();
        }

        private int nameStart() {
            return path.raw().lastIndexOf('/') + 1;
        }
    }

    final FilePath path;
    final Inode inode;
    final int number;
    final int xattrSize;

    /** Names in byte order; only a directory has any, and then {@code .} and {@code ..} are among them. */
    final List<Entry> entries = new ArrayList<>(0);

    int links;
    long offset;
    long size;

    /** How many bytes of the content lie right behind the inode. */
    int inlineBytes;

    /** How many blocks of content lie apart from the inode; {@link #blockAddress} is the first. */
    int blocks;

    long blockAddress;

    /** The form of a file's chunks. */
    int contentDetail;

    int dataLayout = Disk.FLAT_PLAIN;

    Node(FilePath path, Inode inode, int number, int xattrSize) {
        this.path = path;
        this.inode = inode;
        this.number = number;
        this.xattrSize = xattrSize;
    }

    long nid() {
        return offset / Disk.SLOT;
    }

    int headBytes() {
        return Disk.INODE_BYTES + xattrSize;
    }
}
