package io.faasimage.refactor.predict;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Classifier;
import io.faasimage.refactor.image.ImageConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An image of a few files, as predictions see it. */
final class MadeTree {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    FlatImage flat() throws IOException {
        return new FlatImage(
                tree,
                digest -> new ByteArrayInputStream(contents.getOrDefault(digest, new byte[0])),
                Classifier.classify(tree, digest -> contents.getOrDefault(digest, new byte[0])),
                new ImageConfig(List.of(), Map.of(), List.of(), List.of(), List.of(), "", ""),
                1);
    }

    void file(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Digest digest = Digest.of(bytes);
        contents.put(digest, bytes);
        put(path, Inode.RegularFile.of(ATTRIBUTES, bytes.length, digest));
    }

    void link(String path, String target) {
        put(path, new Inode.Symlink(ATTRIBUTES, target));
    }

    private void put(String path, Inode inode) {
        FilePath file = FilePath.ofText(path);
        FilePath directory = FilePath.ROOT;
        for (String name : file.parent().raw().split("/")) {
            directory = directory.child(name);
            tree.put(directory, new Inode.Directory(ATTRIBUTES));
        }
        tree.put(file, inode);
    }
}
