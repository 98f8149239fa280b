package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A view of a metadata image for look-ups, without reading the image as a whole: the bytes stay where they are, in a
 * mapped file for example. Thread-safe. Every offset is checked when it is used, so a damaged image ends in a {@link
 * FormatException}; unlike {@link ErofsReader} this does not look at parts that nobody requests.
 */
public final class ErofsView {
    private final ImageInput image;
    private final InodeReader inodes;
    private final Entry root;

    private ErofsView(ByteBuffer bytes) throws FormatException {
        image = ImageInput.unmetered(bytes);
        inodes = new InodeReader(image);
        root = entry(image.rootNid(), image.rootNid());
        if (!root.isDirectory()) {
            throw image.bad("the root is not a directory");
        }
    }

    /** A place in the image: an inode, and the directory it was found in. */
    public static final class Entry {
        private final InodeHead head;
        private final long parent;

        private Entry(InodeHead head, long parent) {
            this.head = head;
            this.parent = parent;
        }

        /** Whether it is a directory. */
        public boolean isDirectory() {
            return head.type() == Disk.S_IFDIR;
        }

        /** Number of the inode, the same for all its hard links, at most 32 bits. */
        public long number() {
            return head.nid();
        }

        /** Type and permission bits, as in {@code st_mode}. */
        public int mode() {
            return head.mode();
        }
    }

    /**
     * The fields of {@code stat} besides the mode.
     *
     * @param uid owner, an unsigned 32-bit number
     * @param gid group, an unsigned 32-bit number
     * @param size in bytes
     * @param links how many names the inode has
     * @param mtimeSeconds since the epoch; may be negative
     * @param mtimeNanos of it
     * @param deviceMajor of a device, else 0
     * @param deviceMinor of a device, else 0
     */
    public record Status(
            int uid,
            int gid,
            long size,
            long links,
            long mtimeSeconds,
            int mtimeNanos,
            int deviceMajor,
            int deviceMinor) {}

    /**
     * A name in a directory.
     *
     * @param text one char per byte
     * @param entry the entry with this name
     */
    public record Name(String text, Entry entry) {}

    /** Looks into {@code bytes}, which must not change; {@link FormatException} when they are no metadata image. */
    public static ErofsView of(ByteBuffer bytes) throws FormatException {
        return new ErofsView(bytes);
    }

    /** Looks into {@code file}, which stays mapped until this is unreachable. */
    public static ErofsView map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > ErofsReader.MAX_IMAGE_BYTES) {
                throw FormatException.corrupt(file + " is larger than " + ErofsReader.MAX_IMAGE_BYTES + " bytes");
            }
            return of(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    /** The root directory. */
    public Entry root() {
        return root;
    }

    /** The entry {@code name} (one char per byte) of {@code directory}; empty when there is none. */
    public Optional<Entry> find(Entry directory, String name) throws FormatException {
        if (!directory.isDirectory() || name.equals(".") || name.equals("..")) {
            return Optional.empty();
        }
        Optional<DirectoryReader.Name> found = DirectorySearch.find(image, directory.head, name);
        return found.isEmpty() ? Optional.empty() : Optional.of(checked(found.get(), directory));
    }

    /** All names in {@code directory} but {@code .} and {@code ..}, sorted by their bytes. */
    public List<Name> names(Entry directory) throws FormatException {
        List<Name> names = new ArrayList<>();
        for (DirectoryReader.Name name : DirectoryReader.names(image, directory.head, directory.parent)) {
            names.add(new Name(name.text(), checked(name, directory)));
        }
        return names;
    }

    private Entry checked(DirectoryReader.Name name, Entry directory) throws FormatException {
        Entry entry = entry(name.nid(), directory.number());
        if (Disk.fileType(entry.head.type()) != name.fileType()) {
            throw image.bad("'" + name.text() + "' in directory " + directory.number()
                    + " is of another type than its directory says");
        }
        return entry;
    }

    private Entry entry(long nid, long parent) throws FormatException {
        return new Entry(inodes.head(nid), parent);
    }

    /** The fields of {@code stat} besides the mode. */
    public Status status(Entry entry) throws FormatException {
        InodeHead head = entry.head;
        long at = head.offset();
        boolean device = head.type() == Disk.S_IFCHR || head.type() == Disk.S_IFBLK;
        return new Status(
                image.i32(at + 24),
                image.i32(at + 28),
                head.size(),
                image.u32(at + 44),
                image.i64(at + 32),
                image.i32(at + 40),
                device ? Disk.deviceMajor(head.detail()) : 0,
                device ? Disk.deviceMinor(head.detail()) : 0);
    }

    /** The extended attributes, those of the overlay not among them. */
    public SortedMap<String, byte[]> xattrs(Entry entry) throws FormatException {
        return inode(entry).attributes().xattrs();
    }

    /** The object that holds a regular file's content; empty when the file is, or when it is no regular file. */
    public Optional<Digest> content(Entry entry) throws FormatException {
        return inode(entry) instanceof Inode.RegularFile file ? file.content() : Optional.empty();
    }

    /** Where a symbolic link points, one char per byte; empty when it is no link. */
    public Optional<String> target(Entry entry) throws FormatException {
        return inode(entry) instanceof Inode.Symlink link ? Optional.of(link.target()) : Optional.empty();
    }

    private Inode inode(Entry entry) throws FormatException {
        try {
            return entry.isDirectory() ? new Inode.Directory(inodes.attributes(entry.head)) : inodes.inode(entry.head);
        } catch (IllegalArgumentException e) {
            throw image.bad(String.valueOf(e.getMessage()));
        }
    }
}
