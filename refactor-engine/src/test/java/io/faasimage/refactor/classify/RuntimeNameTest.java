package io.faasimage.refactor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeNameTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "usr/local/bin/python3.9 usr/local/bin/python3.12 usr/bin/python3.11, python3.12",
                "usr/bin/python3.11 usr/local/bin/node, node",
                "usr/bin/python3.11 usr/bin/python3.11-config, python3.11",
                "usr/local/lib/ruby/3.3.0/bundler.rb usr/bin/ruby3.1, ruby3.3",
                "usr/lib/jvm/java-17-openjdk-amd64/bin/java, java17",
                "usr/bin/php8.2, php8.2",
                "usr/bin/python3 home/node, -"
            })
    void pathsTellTheRuntime(String paths, String name) {
        FileTree tree = new FileTree(ATTRIBUTES);
        for (String path : List.of(paths.split(" "))) {
            put(tree, new FilePath(path));
        }
        assertThat(RuntimeName.of(tree)).isEqualTo(Optional.ofNullable(name));
    }

    private static void put(FileTree tree, FilePath path) {
        FilePath parent = path.parent();
        if (!parent.isRoot() && tree.get(parent).isEmpty()) {
            directory(tree, parent);
        }
        tree.put(path, new Inode.Symlink(ATTRIBUTES, "x"));
    }

    private static void directory(FileTree tree, FilePath path) {
        if (!path.isRoot() && tree.get(path).isEmpty()) {
            directory(tree, path.parent());
            tree.put(path, new Inode.Directory(ATTRIBUTES));
        }
    }
}
