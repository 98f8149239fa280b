package io.faasimage.gate;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** An image with every kind of file, and the contents of its files. */
final class AwkwardTree {
    static final byte[] RAW_NAME = {'r', 'a', 'w', '/', (byte) 0xff, (byte) 0xfe, '\n', (byte) 0x80};

    private static final Attributes PLAIN = Attributes.of(0755, 0, 0, 1_700_000_000, 123_456_789);

    private final FileTree tree = new FileTree(Attributes.of(0751, 3, 4, 1_600_000_000, 1));
    private final Map<Digest, byte[]> contents = new HashMap<>();

    AwkwardTree() throws IOException {
        files();
        links();
        specials();
        attributes();
        put("many", new Inode.Directory(PLAIN));
        for (int i = 0; i < 700; i++) {
            put("many/entry-" + i, file(PLAIN, ("content " + i).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private void files() throws IOException {
        byte[] large = new byte[3_000_001];
        new Random(7).nextBytes(large);
        put("large", file(PLAIN, large));
        put("empty", Inode.RegularFile.empty(PLAIN));
        put("old", file(Attributes.of(0600, -2, -3, -2, 500_000_000), bytes("before the epoch")));
        put("id", file(Attributes.of(04755, 0, 0, 9, 9), Files.readAllBytes(Path.of("/usr/bin/id"))));
        put("raw", new Inode.Directory(PLAIN));
        tree.put(FilePath.ofBytes(RAW_NAME), file(PLAIN, bytes("raw bytes")));
        put("\u00fcml\u00e4ut", file(PLAIN, bytes("two bytes a letter")));
        put("n".repeat(255), file(PLAIN, bytes("long name")));
        put("a", new Inode.Directory(Attributes.of(01777, 7, 8, 5, 5)));
        put("a/b", new Inode.Directory(PLAIN));
        put("a/b/c", file(PLAIN, bytes("deep")));
    }

    private void links() {
        Inode twins = file(PLAIN, bytes("twins"));
        put("twin-a", twins);
        put("a/b/twin-b", twins);
        put("link", new Inode.Symlink(Attributes.of(0777, 1, 2, 3, 4), "a/b/c"));
        put("far", new Inode.Symlink(PLAIN, "t".repeat(4095)));
        tree.put(FilePath.ofText("odd-link"), new Inode.Symlink(PLAIN, "\u00ff\u00fe"));
    }

    private void specials() {
        put("null", new Inode.Special(Attributes.of(0666, 0, 0, 1, 1), Inode.Special.Kind.CHARACTER_DEVICE, 1, 3));
        put("disk", new Inode.Special(PLAIN, Inode.Special.Kind.BLOCK_DEVICE, 259, 300));
        put("fifo", new Inode.Special(PLAIN, Inode.Special.Kind.FIFO, 0, 0));
        put("socket", new Inode.Special(PLAIN, Inode.Special.Kind.SOCKET, 0, 0));
    }

    private void attributes() {
        byte[] netRaw = {0, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        put("capable", file(with(Map.of("security.capability", netRaw)), bytes("capable")));
        put("tagged", file(with(Map.of("user.note", bytes("a note"), "user.empty", new byte[0])), bytes("tagged")));
        put("trusted", new Inode.Directory(with(Map.of("trusted.note", new byte[3000]))));
    }

    private static Attributes with(Map<String, byte[]> xattrs) {
        return new Attributes(0750, 0, 0, 1, 2, new TreeMap<>(xattrs));
    }

    private Inode file(Attributes attributes, byte[] content) {
        Digest digest = Digest.of(content);
        contents.put(digest, content);
        return Inode.RegularFile.of(attributes, content.length, digest);
    }

    private void put(String path, Inode inode) {
        tree.put(FilePath.ofText(path), inode);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    byte[] image() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ErofsWriter.write(tree, out);
        return out.toByteArray();
    }

    Map<Digest, byte[]> contents() {
        return contents;
    }
}
