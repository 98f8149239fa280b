package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import java.util.Optional;

/**
 * A search for one name in a directory as the kernel does it: the block by its first name, then the entry within the
 * block.
 */
final class DirectorySearch {
    private final ImageInput image;
    private final InodeHead directory;
    private final String wanted;

    private DirectorySearch(ImageInput image, InodeHead directory, String wanted) {
        this.image = image;
        this.directory = directory;
        this.wanted = wanted;
    }

    /**
     * The entry {@code name}; empty when the directory has none of that name.
     *
     * @param name one char per byte; neither {@code .} nor {@code ..}
     */
    static Optional<DirectoryReader.Name> find(ImageInput image, InodeHead directory, String name)
            throws FormatException {
        if (directory.dataLayout() == Disk.CHUNK_BASED) {
            throw image.bad("directory " + directory.nid() + " has no . and ..");
        }
        return new DirectorySearch(image, directory, name).find();
    }

    private Optional<DirectoryReader.Name> find() throws FormatException {
        long low = 0;
        long high = (directory.size() + Disk.BLOCK - 1) / Disk.BLOCK - 1;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (block(middle).name(0).compareTo(wanted) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low > high ? Optional.empty() : block(low).find(wanted);
    }

    private DirectoryBlock block(long number) throws FormatException {
        long start = number * Disk.BLOCK;
        int length = (int) Math.min(Disk.BLOCK, directory.size() - start);
        boolean inline = length < Disk.BLOCK && directory.dataLayout() == Disk.FLAT_INLINE;
        return DirectoryBlock.at(
                image, directory.nid(), inline ? directory.inlineOffset() : directory.blockOffset() + start, length);
    }
}
