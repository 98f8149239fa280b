package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.DirectoryReader.Name;
import java.util.Optional;

/**
 * One block of a directory: a table of entries, then their names.
 *
 * @param image it is in
 * @param directory number of the directory's inode
 * @param start offset in the image
 * @param length in bytes
 * @param entries how many it has, 1 or more
 */
record DirectoryBlock(ImageInput image, long directory, long start, int length, int entries) {
    static DirectoryBlock at(ImageInput image, long directory, long start, int length) throws FormatException {
        image.check(start, length);
        int tableBytes = length < Disk.DIRENT_BYTES ? 0 : image.u16(start + 8);
        if (tableBytes == 0 || tableBytes % Disk.DIRENT_BYTES != 0 || tableBytes > length) {
            throw image.bad("a block of directory " + directory + " has no entries");
        }
        return new DirectoryBlock(image, directory, start, length, tableBytes / Disk.DIRENT_BYTES);
    }

    /** The name of entry {@code index}, one char per byte. */
    String name(int index) throws FormatException {
        boolean isLast = index == entries - 1;
        int begin = nameOffset(index);
        int end = isLast ? length : nameOffset(index + 1);
        if (begin < entries * Disk.DIRENT_BYTES || end <= begin || end > length) {
            throw image.bad("names of directory " + directory + " are not one after the other");
        }
        String name = image.chars(start + begin, end - begin);
        int padding = isLast ? name.indexOf('\0') : -1;
        return padding < 0 ? name : name.substring(0, padding);
    }

    private int nameOffset(int index) throws FormatException {
        return image.u16(start + (long) index * Disk.DIRENT_BYTES + 8);
    }

    Name entry(int index) throws FormatException {
        long at = start + (long) index * Disk.DIRENT_BYTES;
        return new Name(name(index), image.i64(at), image.u8(at + 10));
    }

    /** The entry {@code wanted}, by bisection. */
    Optional<Name> find(String wanted) throws FormatException {
        int low = 0;
        int high = entries - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = name(middle).compareTo(wanted);
            if (order == 0) {
                return Optional.of(entry(middle));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }
}
