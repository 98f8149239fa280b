package io.faasimage.format.erofs;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of an image, computed before the first byte is written: the superblock, all inodes in the order of the
 * tree, each with the data that fits right behind it, then the blocks of large directories and of link targets that do
 * not fit.
 *
 * <p>The data behind an inode must not cross the end of a block: the kernel refuses it.
 */
final class ImageLayout {
    /** A directory's last block lies behind its inode up to this size; beyond it the gaps cost more than a block. */
    private static final int MAX_INLINE_DIRECTORY_BYTES = Disk.BLOCK / 2;

    private final List<Node> nodes = new ArrayList<>();
    private long end;

    private ImageLayout() {}

    /** Lays out {@code tree}, or refuses it. */
    static ImageLayout of(FileTree tree) throws TreeRefusedException {
        ImageLayout layout = new ImageLayout();
        layout.collect(tree);
        layout.place();
        return layout;
    }

    /** All inodes in the order of their place. The first is the root directory. */
    List<Node> nodes() {
        return nodes;
    }

    /** Size of the image in blocks. */
    long blocks() {
        return end / Disk.BLOCK;
    }

    private void collect(FileTree tree) throws TreeRefusedException {
        IdentityHashMap<Inode, Node> linked = new IdentityHashMap<>();
        Deque<Node> above = new ArrayDeque<>();
        for (Map.Entry<FilePath, Inode> entry : tree.inodes().entrySet()) {
            FilePath path = entry.getKey();
            while (!above.isEmpty() && !path.isAtOrBelow(above.peek().path)) {
                addDots(above.pop(), above);
            }
            Inode inode = entry.getValue();
            Node node = inode instanceof Inode.Directory ? null : linked.get(inode);
            if (node == null) {
                node = new Node(path, inode, nodes.size() + 1, Xattrs.size(path, inode));
                nodes.add(node);
            }
            Node parent = above.peek();
            if (parent != null) {
                parent.entries.add(new Node.Entry(path, 0, node));
            }
            if (inode instanceof Inode.Directory) {
                above.push(node);
                node.links += 2;
                if (parent != null) {
                    parent.links++;
                }
            } else {
                linked.put(inode, node);
                node.links++;
            }
        }
        while (!above.isEmpty()) {
            addDots(above.pop(), above);
        }
    }

    /** Puts {@code .} and {@code ..} where byte order wants them: {@code -} and {@code .-} come before {@code ..}. */
    private static void addDots(Node directory, Deque<Node> above) {
        Node parent = above.isEmpty() ? directory : above.peek();
        insert(directory.entries, new Node.Entry(directory.path, 1, directory));
        insert(directory.entries, new Node.Entry(directory.path, 2, parent));
    }

    private static void insert(List<Node.Entry> entries, Node.Entry entry) {
        int at = 0;
        while (at < entries.size() && entries.get(at).isBefore(entry)) {
            at++;
        }
        entries.add(at, entry);
    }

    private void place() throws TreeRefusedException {
        long position = Disk.SUPER_OFFSET + Disk.SUPER_BYTES;
        for (Node node : nodes) {
            measure(node);
            int bytes = node.headBytes() + node.inlineBytes;
            position = Disk.roundUp(position, Disk.SLOT);
            boolean wholeInOneBlock = node.dataLayout == Disk.FLAT_INLINE;
            if (wholeInOneBlock && position % Disk.BLOCK + bytes > Disk.BLOCK) {
                position = Disk.roundUp(position, Disk.BLOCK);
            }
            node.offset = position;
            position += bytes;
        }
        end = Disk.roundUp(position, Disk.BLOCK);
        for (Node node : nodes) {
            if (node.blocks > 0) {
                node.blockAddress = end / Disk.BLOCK;
                end += (long) node.blocks * Disk.BLOCK;
            }
        }
        if (blocks() > 0xffff_fffeL) {
            throw new TreeRefusedException(FilePath.ROOT, "the image would be larger than 16 TiB");
        }
    }

    private void measure(Node node) throws TreeRefusedException {
        switch (node.inode) {
            case Inode.Directory directory -> {
                node.size = DirectoryBlocks.size(node.entries);
                long tail = (node.size - 1) % Disk.BLOCK + 1;
                inlineTail(node, tail <= MAX_INLINE_DIRECTORY_BYTES ? (int) tail : 0);
            }
            case Inode.Symlink link -> {
                node.size = link.target().length();
                inlineTail(node, (int) node.size);
            }
            case Inode.RegularFile file -> {
                node.size = file.size();
                if (node.size > 0) {
                    StubForm.measure(node);
                }
            }
            case Inode.Special special -> node.size = 0;
        }
    }

    private static void inlineTail(Node node, int tail) {
        boolean fits = tail > 0 && node.headBytes() + tail <= Disk.BLOCK;
        node.inlineBytes = fits ? tail : 0;
        node.dataLayout = fits ? Disk.FLAT_INLINE : Disk.FLAT_PLAIN;
        node.blocks = Math.toIntExact(Disk.roundUp(node.size - node.inlineBytes, Disk.BLOCK) / Disk.BLOCK);
    }
}
