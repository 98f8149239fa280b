package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/** File trees for tests, and their comparison. */
final class Trees {
    static final Attributes ROOT = Attributes.of(0755, 0, 0, 1_700_000_000, 1);

    private Trees() {}

    static FileTree empty() {
        return new FileTree(ROOT);
    }

    /** A tree with every kind of inode and every awkward property that a root file system can have. */
    static FileTree everything() {
        FileTree tree = new FileTree(withXattrs(Map.of("user.root", bytes("yes"))));
        put(tree, "etc", new Inode.Directory(Attributes.of(01777, 1000, 1000, -1, 999_999_999)));
        put(tree, "etc/passwd", file(Attributes.of(0644, 0, 0, 0, 0), 1, "passwd"));
        put(tree, "etc/empty", Inode.RegularFile.empty(withXattrs(Map.of("user.a", bytes("b")))));
        put(tree, "etc/passwd-", Inode.RegularFile.empty(Attributes.of(0, -2, -3, 1L << 33, 5)));
        put(tree, "etc/-before-dot", new Inode.Directory(ROOT));
        put(tree, "etc/.-between-dots", new Inode.Directory(ROOT));
        put(tree, "etc/...", new Inode.Directory(ROOT));
        put(tree, "etc/with space", file(ROOT, 4096, "space"));
        put(tree, "etc/ümläut\n", file(ROOT, 4097, "umlaut"));
        tree.put(FilePath.ofBytes(new byte[] {'e', 't', 'c', '/', (byte) 0xff, (byte) 0x80, 1}), file(ROOT, 2, "raw"));
        put(tree, "etc/" + "n".repeat(255), file(ROOT, 3, "long name"));
        put(tree, "suid", file(Attributes.of(06755, 0, 0, 9, 9), 1L << 32, "suid"));
        put(tree, "sparse", file(ROOT, 1L << 43, "8 TiB"));
        byte[] netRaw = {1, 0, 0, 2, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        put(tree, "ping", file(withXattrs(Map.of("security.capability", netRaw)), 77, "ping"));
        links(tree);
        specials(tree);
        xattrs(tree);
        directories(tree);
        return tree;
    }

    private static void links(FileTree tree) {
        put(tree, "bin", new Inode.Symlink(ROOT, "usr/bin"));
        for (int length : new int[] {1, 3900, 4000, 4020, 4032, 4033, 4095}) {
            put(tree, "link" + length, new Inode.Symlink(ROOT, "t".repeat(length)));
        }
        put(tree, "linkx", new Inode.Symlink(withXattrs(Map.of("trusted.x", new byte[4000])), "somewhere"));
        Inode shared = file(ROOT, 5, "shared");
        put(tree, "hard1", shared);
        put(tree, "etc/hard2", shared);
        put(tree, "hard3", shared);
        Inode fifo = new Inode.Special(ROOT, Inode.Special.Kind.FIFO, 0, 0);
        put(tree, "fifo1", fifo);
        put(tree, "fifo2", fifo);
    }

    private static void specials(FileTree tree) {
        put(tree, "dev", new Inode.Directory(ROOT));
        put(tree, "dev/null", new Inode.Special(ROOT, Inode.Special.Kind.CHARACTER_DEVICE, 1, 3));
        put(tree, "dev/big", new Inode.Special(ROOT, Inode.Special.Kind.BLOCK_DEVICE, 4095, (1 << 20) - 1));
        put(tree, "dev/minor", new Inode.Special(ROOT, Inode.Special.Kind.BLOCK_DEVICE, 259, 300));
        put(tree, "dev/log", new Inode.Special(ROOT, Inode.Special.Kind.SOCKET, 0, 0));
    }

    private static void xattrs(FileTree tree) {
        byte[] acl = {2, 0, 0, 0, 1, 0, 6, 0, -1, -1, -1, -1, 4, 0, 4, 0, -1, -1, -1, -1, 32, 0, 4, 0, -1, -1, -1, -1};
        put(
                tree,
                "acl",
                new Inode.Directory(
                        withXattrs(Map.of("system.posix_acl_access", acl, "system.posix_acl_default", acl))));
        put(
                tree,
                "attributes",
                file(
                        withXattrs(Map.of(
                                "user." + "x".repeat(250),
                                new byte[0],
                                "user.ü",
                                bytes("\0\0"),
                                "security.selinux",
                                bytes("system_u:object_r:bin_t:s0\0"),
                                "trusted.large",
                                new byte[60_000])),
                        1,
                        "attributes"));
    }

    private static void directories(FileTree tree) {
        for (int count : new int[] {100, 145, 150, 290, 5000}) {
            put(tree, "d" + count, new Inode.Directory(ROOT));
            for (int i = 0; i < count; i++) {
                put(
                        tree,
                        "d" + count + "/entry-" + i,
                        i % 2 == 0 ? file(ROOT, i + 1L, "e" + i) : new Inode.Directory(ROOT));
            }
        }
    }

    static void put(FileTree tree, String path, Inode inode) {
        tree.put(FilePath.ofText(path), inode);
    }

    static Inode file(Attributes attributes, long size, String content) {
        return Inode.RegularFile.of(attributes, size, Digest.of(bytes(content)));
    }

    /** Attributes with these extended ones; the names' chars are bytes. */
    static Attributes withXattrs(Map<String, byte[]> xattrs) {
        return new Attributes(0640, 7, 8, 1_600_000_000, 123_456_789, new TreeMap<>(xattrs));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] image(FileTree tree) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ErofsWriter.write(tree, out);
        return out.toByteArray();
    }

    /** Fails unless both trees have the same paths, inodes and hard links. */
    static void assertSame(FileTree actual, FileTree expected) {
        assertThat(actual.inodes().keySet()).isEqualTo(expected.inodes().keySet());
        IdentityHashMap<Inode, Inode> links = new IdentityHashMap<>();
        expected.inodes().forEach((path, inode) -> {
            Inode other = actual.get(path).orElseThrow();
            assertThat(describe(other)).as(path.display()).isEqualTo(describe(inode));
            if (!(inode instanceof Inode.Directory)) {
                assertThat(links.computeIfAbsent(inode, i -> other))
                        .as(path.display())
                        .isSameAs(other);
            }
        });
        assertThat(new HashSet<>(links.values())).hasSameSizeAs(links.keySet());
    }

    static String describe(Inode inode) {
        Attributes a = inode.attributes();
        StringBuilder text = new StringBuilder();
        text.append(Integer.toOctalString(Disk.typeBits(inode) | a.mode()));
        text.append(' ').append(a.uid()).append(':').append(a.gid());
        text.append(' ')
                .append(a.mtimeSeconds())
                .append('.')
                .append(a.mtimeNanos())
                .append(' ');
        text.append(
                switch (inode) {
                    case Inode.Directory d -> "";
                    case Inode.RegularFile f -> f.size() + " " + f.content();
                    case Inode.Symlink s -> s.target();
                    case Inode.Special s -> s.major() + "," + s.minor();
                });
        a.xattrs()
                .forEach((name, value) ->
                        text.append(' ').append(name).append('=').append(Digest.of(value)));
        return text.toString();
    }
}
