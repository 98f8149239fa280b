package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A reader of a metadata image back into the file tree that {@link ErofsWriter} made it from. Trusts nothing: every
 * offset is checked, a directory is entered once, and no more is read in total than the image has bytes.
 */
public final class ErofsReader {
    /** Largest image that is read, bytes. */
    public static final int MAX_IMAGE_BYTES = 1 << 30;

    /** How many bytes of paths one byte of an image may stand for; a bound for hostile ones, far above real ones. */
    private static final int MAX_PATH_BYTES_PER_BYTE = 32;

    private record OpenDirectory(FilePath path, long nid, long parent) {}

    private final ImageInput image;
    private final InodeReader inodeReader;
    private final Map<Long, Inode> links = new HashMap<>();
    private final Set<Long> directories = new HashSet<>();
    private final Deque<OpenDirectory> open = new ArrayDeque<>();
    private long pathBudget;

    private ErofsReader(byte[] bytes) throws FormatException {
        image = ImageInput.metered(ByteBuffer.wrap(bytes));
        inodeReader = new InodeReader(image);
        pathBudget = (long) bytes.length * MAX_PATH_BYTES_PER_BYTE;
    }

    /**
     * The tree in {@code image}.
     *
     * @throws FormatException when it is no metadata image, damaged, or uses features that this program does not know
     */
    public static FileTree read(byte[] image) throws FormatException {
        ErofsReader reader = new ErofsReader(image);
        try {
            return reader.tree();
        } catch (IllegalArgumentException e) {
            throw reader.image.bad(String.valueOf(e.getMessage()));
        }
    }

    /** The tree in the image {@code file}, of at most {@link #MAX_IMAGE_BYTES}. */
    public static FileTree read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] image = in.readNBytes(MAX_IMAGE_BYTES);
            if (in.read() >= 0) {
                throw FormatException.corrupt(file + " is larger than " + MAX_IMAGE_BYTES + " bytes");
            }
            return read(image);
        }
    }

    private FileTree tree() throws FormatException {
        long rootNid = image.rootNid();
        InodeHead head = inodeReader.head(rootNid);
        if (head.type() != Disk.S_IFDIR) {
            throw image.bad("the root is not a directory");
        }
        FileTree tree = new FileTree(inodeReader.attributes(head));
        enter(new OpenDirectory(FilePath.ROOT, rootNid, rootNid));
        while (!open.isEmpty()) {
            OpenDirectory directory = open.pop();
            for (DirectoryReader.Name name :
                    DirectoryReader.names(image, inodeReader.head(directory.nid()), directory.parent())) {
                add(tree, directory, name);
            }
        }
        return tree;
    }

    private void add(FileTree tree, OpenDirectory directory, DirectoryReader.Name name) throws FormatException {
        FilePath path = directory.path().child(name.text());
        pathBudget -= path.raw().length();
        if (pathBudget < 0) {
            throw image.bad("paths are too long in total");
        }
        InodeHead head = inodeReader.head(name.nid());
        if (Disk.fileType(head.type()) != name.fileType()) {
            throw image.bad(path + " is of another type than its directory says");
        }
        if (head.type() == Disk.S_IFDIR) {
            tree.put(path, new Inode.Directory(inodeReader.attributes(head)));
            enter(new OpenDirectory(path, name.nid(), directory.nid()));
            return;
        }
        Inode inode = links.get(name.nid());
        if (inode == null) {
            inode = inodeReader.inode(head);
            links.put(name.nid(), inode);
        }
        tree.put(path, inode);
    }

    private void enter(OpenDirectory directory) throws FormatException {
        if (!directories.add(directory.nid())) {
            throw image.bad(directory.path() + " is a directory that is also elsewhere");
        }
        open.push(directory);
    }
}
