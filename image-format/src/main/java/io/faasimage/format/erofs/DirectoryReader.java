package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import java.util.ArrayList;
import java.util.List;

/** A reader of a directory's entries, which checks their order, which the kernel's search relies on. */
final class DirectoryReader {
    /** An entry other than {@code .} and {@code ..}; the name has one char per byte. */
    record Name(String text, long nid, int fileType) {}

    private final ImageInput image;
    private final long self;
    private final long parent;
    private final List<Name> names = new ArrayList<>();
    private String last = "";
    private int dots;

    private DirectoryReader(ImageInput image, long self, long parent) {
        this.image = image;
        this.self = self;
        this.parent = parent;
    }

    static List<Name> names(ImageInput image, InodeHead head, long parent) throws FormatException {
        image.charge(head.size());
        DirectoryReader reader = new DirectoryReader(image, head.nid(), parent);
        long whole = head.size() / Disk.BLOCK;
        int tail = (int) (head.size() % Disk.BLOCK);
        for (long block = 0; block < whole; block++) {
            reader.block(head.blockOffset() + block * Disk.BLOCK, Disk.BLOCK);
        }
        if (tail > 0) {
            boolean inline = head.dataLayout() == Disk.FLAT_INLINE;
            reader.block(inline ? head.inlineOffset() : head.blockOffset() + whole * Disk.BLOCK, tail);
        }
        if (head.dataLayout() == Disk.CHUNK_BASED || reader.dots != 2) {
            throw image.bad("directory " + head.nid() + " has no . and ..");
        }
        return reader.names;
    }

    private void block(long start, int length) throws FormatException {
        DirectoryBlock block = DirectoryBlock.at(image, self, start, length);
        for (int i = 0; i < block.entries(); i++) {
            add(block.entry(i));
        }
    }

    private void add(Name name) throws FormatException {
        if (name.text.compareTo(last) <= 0) {
            throw image.bad("names of directory " + self + " are not sorted");
        }
        last = name.text;
        if (!name.text.equals(".") && !name.text.equals("..")) {
            if (name.text.indexOf('/') >= 0) {
                throw image.bad("a name in directory " + self + " has a slash");
            }
            names.add(name);
            return;
        }
        if (name.nid != (name.text.equals(".") ? self : parent)) {
            throw image.bad("directory " + self + " has a wrong " + name.text);
        }
        dots++;
    }
}
