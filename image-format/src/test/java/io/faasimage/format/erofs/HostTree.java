package io.faasimage.format.erofs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Reads a directory of the running system as a file tree, by the C library, for Java's own paths cannot hold names of
 * arbitrary bytes nor see extended attributes in full.
 */
@SuppressWarnings("restricted")
final class HostTree {
    /** Gives a regular file's content a name. */
    interface Content {
        Digest of(byte[] path, SortedMap<String, byte[]> xattrs) throws IOException;
    }

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle STATX =
            function("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle OPENDIR = function("opendir", ADDRESS, ADDRESS);
    private static final MethodHandle READDIR = function("readdir64", ADDRESS, ADDRESS);
    private static final MethodHandle CLOSEDIR = function("closedir", JAVA_INT, ADDRESS);
    private static final MethodHandle READLINK = function("readlink", JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
    private static final MethodHandle LLISTXATTR = function("llistxattr", JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
    private static final MethodHandle LGETXATTR =
            function("lgetxattr", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);

    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int STATX_BASIC = 0x7ff;
    private static final int BUFFER = 70_000;

    private final byte[] root;
    private final Content content;
    private final Predicate<FilePath> wanted;
    private final Map<Long, Inode> links = new HashMap<>();
    private final Map<FilePath, Integer> linkCounts = new HashMap<>();

    private HostTree(byte[] root, Content content, Predicate<FilePath> wanted) {
        this.root = root;
        this.content = content;
        this.wanted = wanted;
    }

    /** The tree below {@code root}, without the paths that are not {@code wanted}. */
    static FileTree scan(String root, Content content, Predicate<FilePath> wanted) throws IOException {
        return new HostTree(root.getBytes(StandardCharsets.UTF_8), content, wanted).scan();
    }

    /** The tree of a mounted metadata image; link counts are checked. */
    static FileTree ofStubs(String root) throws IOException {
        HostTree host = new HostTree(
                root.getBytes(StandardCharsets.UTF_8),
                (path, xattrs) -> {
                    byte[] redirect = xattrs.remove(Disk.OVERLAY_REDIRECT);
                    byte[] metacopy = xattrs.remove(Disk.OVERLAY_METACOPY);
                    if (redirect == null || metacopy == null || metacopy.length > 0) {
                        throw new IOException("not a stub: " + new String(path, StandardCharsets.UTF_8));
                    }
                    return new Digest(new String(redirect, StandardCharsets.US_ASCII).replace("/", ""));
                },
                path -> true);
        FileTree tree = host.scan();
        host.checkLinkCounts(tree);
        return tree;
    }

    private FileTree scan() throws IOException {
        Inode top = inode(FilePath.ROOT);
        FileTree tree = new FileTree(top.attributes());
        List<FilePath> open = new ArrayList<>(List.of(FilePath.ROOT));
        while (!open.isEmpty()) {
            FilePath directory = open.removeLast();
            for (String name : list(directory)) {
                FilePath path = directory.child(name);
                if (wanted.test(path)) {
                    Inode inode = inode(path);
                    tree.put(path, inode);
                    if (inode instanceof Inode.Directory) {
                        open.add(path);
                    }
                }
            }
        }
        return tree;
    }

    private void checkLinkCounts(FileTree tree) throws IOException {
        Map<Inode, Integer> expected = new HashMap<>();
        tree.inodes().forEach((path, inode) -> {
            expected.merge(inode, inode instanceof Inode.Directory ? 2 : 1, Integer::sum);
            if (inode instanceof Inode.Directory && !path.isRoot()) {
                expected.merge(tree.get(path.parent()).orElseThrow(), 1, Integer::sum);
            }
        });
        for (Map.Entry<FilePath, Inode> entry : tree.inodes().entrySet()) {
            Integer found = linkCounts.get(entry.getKey());
            if (!Objects.equals(expected.get(entry.getValue()), found)) {
                throw new IOException(entry.getKey() + " has link count " + found);
            }
        }
    }

    private byte[] absolute(FilePath path) {
        byte[] relative = path.bytes();
        byte[] absolute = new byte[root.length + 1 + relative.length];
        System.arraycopy(root, 0, absolute, 0, root.length);
        absolute[root.length] = '/';
        System.arraycopy(relative, 0, absolute, root.length + 1, relative.length);
        return absolute;
    }

    private Inode inode(FilePath path) throws IOException {
        byte[] absolute = absolute(path);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = cString(arena, absolute);
            MemorySegment stat = arena.allocate(256, 8);
            check(call(STATX, AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC, stat), path);
            linkCounts.put(path, stat.get(JAVA_INT, 16));
            int mode = stat.get(ValueLayout.JAVA_SHORT, 28) & 0xffff;
            long device = ((long) stat.get(JAVA_INT, 136) << 32) + stat.get(JAVA_INT, 140);
            long key = stat.get(JAVA_LONG, 32) * 1_000_003 + device;
            boolean directory = (mode & Disk.S_IFMT) == Disk.S_IFDIR;
            Inode known = directory ? null : links.get(key);
            if (known != null) {
                return known;
            }
            Inode inode = inode(absolute, stat, mode, xattrs(arena, name, path), arena);
            if (!directory) {
                links.put(key, inode);
            }
            return inode;
        }
    }

    private Inode inode(byte[] path, MemorySegment stat, int mode, SortedMap<String, byte[]> xattrs, Arena arena)
            throws IOException {
        long size = stat.get(JAVA_LONG, 40);
        int type = mode & Disk.S_IFMT;
        Digest digest = type == Disk.S_IFREG && size > 0 ? content.of(path, xattrs) : null;
        Attributes attributes = new Attributes(
                mode & 07777,
                stat.get(JAVA_INT, 20),
                stat.get(JAVA_INT, 24),
                stat.get(JAVA_LONG, 112),
                stat.get(JAVA_INT, 120),
                xattrs);
        int major = stat.get(JAVA_INT, 128);
        int minor = stat.get(JAVA_INT, 132);
        return switch (type) {
            case Disk.S_IFDIR -> new Inode.Directory(attributes);
            case Disk.S_IFREG ->
                digest == null ? Inode.RegularFile.empty(attributes) : Inode.RegularFile.of(attributes, size, digest);
            case Disk.S_IFLNK -> new Inode.Symlink(attributes, target(arena, path));
            case Disk.S_IFCHR -> new Inode.Special(attributes, Inode.Special.Kind.CHARACTER_DEVICE, major, minor);
            case Disk.S_IFBLK -> new Inode.Special(attributes, Inode.Special.Kind.BLOCK_DEVICE, major, minor);
            case Disk.S_IFIFO -> new Inode.Special(attributes, Inode.Special.Kind.FIFO, 0, 0);
            default -> new Inode.Special(attributes, Inode.Special.Kind.SOCKET, 0, 0);
        };
    }

    private String target(Arena arena, byte[] path) throws IOException {
        MemorySegment buffer = arena.allocate(8192);
        long length = check(call(READLINK, cString(arena, path), buffer, 8192L), FilePath.ROOT);
        return chars(buffer, length);
    }

    private SortedMap<String, byte[]> xattrs(Arena arena, MemorySegment path, FilePath name) throws IOException {
        SortedMap<String, byte[]> xattrs = new TreeMap<>();
        MemorySegment buffer = arena.allocate(BUFFER);
        String names = chars(buffer, check(call(LLISTXATTR, path, buffer, (long) BUFFER), name));
        for (String xattr : names.split("\0")) {
            if (!xattr.isEmpty()) {
                byte[] bytes = xattr.getBytes(StandardCharsets.ISO_8859_1);
                long length = check(call(LGETXATTR, path, cString(arena, bytes), buffer, (long) BUFFER), name);
                xattrs.put(xattr, buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return xattrs;
    }

    private List<String> list(FilePath path) throws IOException {
        List<String> names = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment directory = (MemorySegment) call(OPENDIR, cString(arena, absolute(path)));
            if (directory.address() == 0) {
                throw new IOException("could not open " + path);
            }
            MemorySegment entry = (MemorySegment) call(READDIR, directory);
            while (entry.address() != 0) {
                MemorySegment text = entry.reinterpret(280);
                int length = 0;
                while (text.get(ValueLayout.JAVA_BYTE, 19 + length) != 0) {
                    length++;
                }
                String name = chars(text.asSlice(19), length);
                if (!name.equals(".") && !name.equals("..")) {
                    names.add(name);
                }
                entry = (MemorySegment) call(READDIR, directory);
            }
            call(CLOSEDIR, directory);
        }
        return names;
    }

    private static String chars(MemorySegment segment, long length) {
        return new String(segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    private static MemorySegment cString(Arena arena, byte[] bytes) {
        MemorySegment segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(result, arguments));
    }

    private static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static long check(Object result, FilePath path) throws IOException {
        long value = ((Number) result).longValue();
        if (value < 0) {
            throw new IOException("system call failed for " + path);
        }
        return value;
    }
}
