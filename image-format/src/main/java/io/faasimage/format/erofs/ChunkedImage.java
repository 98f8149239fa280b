package io.faasimage.format.erofs;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.util.List;

/**
 * Objects as files whose content lies in chunks in other files, the devices. {@link ErofsWriter} writes it as an EROFS
 * image without content, which the kernel mounts together with the devices, and which overlayfs takes as a data-only
 * layer.
 *
 * @param chunkBytes size of a chunk: a power of two, 4 KiB to 1 GiB
 * @param devices their sizes in blocks of 4 KiB; the first is number 1
 * @param files the objects, none of them twice
 */
public record ChunkedImage(int chunkBytes, List<Long> devices, List<ChunkedFile> files) {
    /** More devices would push the root directory to a number that a superblock has no room for. */
    static final int MAX_DEVICES = 8192;

    private static final int MAX_CHUNK_BYTES = 1 << 30;
    private static final long MAX_BLOCKS = 0xffff_ffffL;
    private static final int MAX_FILE_CHUNKS = 1 << 27;
    private static final Attributes FILE = Attributes.of(0444, 0, 0, 0, 0);
    private static final Attributes DIRECTORY = Attributes.of(0755, 0, 0, 0, 0);

    /** Checks that every chunk of every file lies within its device, and copies the lists. */
    public ChunkedImage {
        devices = List.copyOf(devices);
        files = List.copyOf(files);
        if (chunkBytes < Disk.BLOCK || chunkBytes > MAX_CHUNK_BYTES || Integer.bitCount(chunkBytes) != 1) {
            throw new IllegalArgumentException(chunkBytes + " bytes are no size of a chunk");
        }
        if (devices.isEmpty() || devices.size() > MAX_DEVICES) {
            throw new IllegalArgumentException("a chunked image has 1 to " + MAX_DEVICES + " devices");
        }
        if (devices.stream().anyMatch(blocks -> blocks < 1 || blocks > MAX_BLOCKS)) {
            throw new IllegalArgumentException("a device has 1 to " + MAX_BLOCKS + " blocks");
        }
        if (files.stream().map(ChunkedFile::content).distinct().count() != files.size()) {
            throw new IllegalArgumentException("an object is twice in the image");
        }
        for (ChunkedFile file : files) {
            if (file.chunks(chunkBytes) > MAX_FILE_CHUNKS) {
                throw new IllegalArgumentException("object " + file.content() + " has too many chunks");
            }
            file.check(chunkBytes, devices);
        }
    }

    /** Each object at its {@link io.faasimage.format.id.Digest#objectPath}. */
    FileTree tree() {
        FileTree tree = new FileTree(DIRECTORY);
        for (ChunkedFile file : files) {
            FilePath path = FilePath.ofText(file.content().objectPath());
            if (tree.get(path.parent()).isEmpty()) {
                tree.put(path.parent(), new Inode.Directory(DIRECTORY));
            }
            tree.put(path, Inode.RegularFile.of(FILE, file.size(), file.content()));
        }
        return tree;
    }
}
