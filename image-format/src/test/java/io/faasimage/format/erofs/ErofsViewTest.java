package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.FormatException;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErofsViewTest {

    @TempDir
    Path temp;

    @Test
    void showsWhatTheTreeHad() throws Exception {
        FileTree tree = Trees.everything();
        ErofsView view = ErofsView.map(Files.write(temp.resolve("image"), Trees.image(tree)));
        Map<Inode, Long> numbers = new HashMap<>();
        Map<Long, Long> names = new HashMap<>();
        for (Map.Entry<FilePath, Inode> path : tree.inodes().entrySet()) {
            ErofsView.Entry entry = at(view, path.getKey()).orElseThrow();
            assertSame(view, entry, path.getValue());
            assertThat(entry.number())
                    .isEqualTo(numbers.computeIfAbsent(path.getValue(), inode -> entry.number()))
                    .isLessThan(1L << 32);
            names.merge(entry.number(), 1L, Long::sum);
        }
        assertThat(numbers.values()).doesNotHaveDuplicates();
        for (Map.Entry<FilePath, Inode> path : tree.inodes().entrySet()) {
            ErofsView.Entry entry = at(view, path.getKey()).orElseThrow();
            if (!entry.isDirectory()) {
                assertThat(view.status(entry).links()).isEqualTo(names.get(entry.number()));
            }
        }
    }

    private static Optional<ErofsView.Entry> at(ErofsView view, FilePath path) throws FormatException {
        Optional<ErofsView.Entry> entry = Optional.of(view.root());
        for (String name : path.isRoot() ? new String[0] : path.raw().split("/", -1)) {
            entry = view.find(entry.orElseThrow(), name);
        }
        return entry;
    }

    private static void assertSame(ErofsView view, ErofsView.Entry entry, Inode inode) throws FormatException {
        ErofsView.Status status = view.status(entry);
        assertThat(entry.mode())
                .isEqualTo(Disk.typeBits(inode) | inode.attributes().mode());
        assertThat(status.uid()).isEqualTo(inode.attributes().uid());
        assertThat(status.gid()).isEqualTo(inode.attributes().gid());
        assertThat(status.mtimeSeconds()).isEqualTo(inode.attributes().mtimeSeconds());
        assertThat(status.mtimeNanos()).isEqualTo(inode.attributes().mtimeNanos());
        assertThat(view.xattrs(entry).keySet())
                .isEqualTo(inode.attributes().xattrs().keySet());
        view.xattrs(entry)
                .forEach((name, value) ->
                        assertThat(value).isEqualTo(inode.attributes().xattrs().get(name)));
        switch (inode) {
            case Inode.RegularFile file -> {
                assertThat(view.content(entry)).isEqualTo(file.content());
                assertThat(status.size()).isEqualTo(file.size());
            }
            case Inode.Symlink link -> assertThat(view.target(entry)).contains(link.target());
            case Inode.Special special -> {
                assertThat(status.deviceMajor()).isEqualTo(special.major());
                assertThat(status.deviceMinor()).isEqualTo(special.minor());
            }
            case Inode.Directory directory -> {
                assertThat(view.content(entry)).isEmpty();
                assertThat(view.target(entry)).isEmpty();
            }
        }
    }

    @Test
    void listsAndFindsTheSameNames() throws Exception {
        FileTree tree = Trees.everything();
        ErofsView view = ErofsView.of(ByteBuffer.wrap(Trees.image(tree)));
        long all = 1;
        for (FilePath path : tree.inodes().keySet()) {
            ErofsView.Entry entry = at(view, path).orElseThrow();
            if (entry.isDirectory()) {
                for (ErofsView.Name name : view.names(entry)) {
                    assertThat(name.entry().number())
                            .isEqualTo(
                                    view.find(entry, name.text()).orElseThrow().number());
                    all++;
                }
            }
        }
        assertThat(all).isEqualTo(tree.size());
    }

    @Test
    void whatIsNotThereIsNotFound() throws Exception {
        ErofsView view = ErofsView.of(ByteBuffer.wrap(Trees.image(Trees.everything())));
        ErofsView.Entry many = view.find(view.root(), "d5000").orElseThrow();
        for (String name : List.of("", "a", ".", "..", "entry-", "entry-1x", "entry-5000", "zzz", "\u00ff")) {
            assertThat(view.find(many, name)).as(name).isEmpty();
        }
        ErofsView.Entry file = view.find(view.root(), "suid").orElseThrow();
        assertThat(view.find(file, "x")).isEmpty();
    }
}
