package io.faasimage.node.plans.rootfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's own mounts of planned root file systems. Needs root. */
class RootMountsIT {
    @TempDir
    private Path root;

    private final Events events = new Events(10, InstantSource.system());

    @AfterEach
    void releaseAll() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(root)) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    @Test
    void aPlanIsUsedWhileAnOverlayLiesOnIt() throws IOException {
        RootMounts mounts = mounts();
        PlanLayer used = layer(1);
        PlanLayer nested = layer(2);
        PlanLayer idle = layer(3);
        String meta = directory("mounts/meta", used) + "::" + Files.createDirectories(root.resolve("objects"));
        String inner = directory("layer", used) + ":" + directory("mounts/nested", nested);
        directory("mounts/meta", idle);
        Path first = Files.createDirectories(root.resolve("first"));
        Path second = Files.createDirectories(root.resolve("second"));
        Mounts.mount("overlay", first, "overlay", Mounts.RDONLY, "lowerdir=" + meta + ",metacopy=on");
        assertThat(mounts.used(List.of(used, nested, idle))).isEqualTo(Set.of(used));
        Mounts.mount("overlay", second, "overlay", Mounts.RDONLY, "lowerdir=" + inner);
        assertThat(mounts.used(List.of(used, nested, idle))).isEqualTo(Set.of(used, nested));
        Mounts.detach(second);
        Mounts.detach(first);
        assertThat(mounts.used(List.of(used, nested, idle))).isEmpty();
    }

    @Test
    void imagesWhoseDigestsBeginAlikeAreMountedApart() throws IOException {
        PlanLayer one = image("one", "0");
        PlanLayer two = image("two", "1");
        RootMounts mounts = mounts();
        for (boolean inner : List.of(false, true)) {
            assertThat(names(open(mounts, one, inner))).containsExactly("one");
            assertThat(names(open(mounts, two, inner))).containsExactly("two");
        }
    }

    @Test
    void aLaterRunAdoptsItsOwnMountsAndDetachesOthers() throws IOException {
        PlanLayer one = image("one", "0");
        PlanLayer two = image("two", "1");
        RootMounts earlier = mounts();
        open(earlier, one, false);
        open(earlier, one, true);
        Path covered = open(earlier, two, false);
        Path foreign = Path.of(directory("mounts/nested", two));
        Mounts.mount("tmpfs", covered, "tmpfs", 0, "");
        Mounts.mount("tmpfs", foreign, "tmpfs", 0, "");
        Path wrong = Path.of(directory("mounts/meta", layer(4)));
        Mounts.mount(file(one).toString(), wrong, "erofs", Mounts.RDONLY, "");
        Path cut = Files.createDirectories(root.resolve("mounts/meta/11dd9a2dfa2c"));
        Mounts.mount(file(one).toString(), cut, "erofs", Mounts.RDONLY, "");
        List<Integer> before = ids(one);
        RootMounts later = mounts();
        assertThat(ids(one)).as("meta, loop and nested").hasSize(3).isEqualTo(before);
        assertThat(MountTable.read().below(root.resolve("mounts"))).hasSize(3);
        assertThat(names(open(later, one, true))).containsExactly("one");
        assertThat(ids(one)).isEqualTo(before);
        assertThat(names(open(later, two, true))).containsExactly("two");
        assertThat(names(open(later, two, false))).containsExactly("two");
    }

    @Test
    void aMountThatAnotherProgramTookAwayIsMadeAgain() throws IOException {
        PlanLayer one = image("one", "0");
        RootMounts mounts = mounts();
        for (boolean inner : List.of(false, true)) {
            Mounts.detach(open(mounts, one, inner));
            assertThat(names(open(mounts, one, inner))).containsExactly("one");
            Mounts.mount("tmpfs", open(mounts, one, inner), "tmpfs", 0, "");
            assertThat(names(open(mounts, one, inner))).containsExactly("one");
        }
    }

    @Test
    void whatIsUsedAgainIsNotReleased() throws IOException {
        PlanLayer one = image("one", "0");
        RootMounts mounts = mounts();
        Path place = open(mounts, one, false);
        mounts.release(one.metadata(), () -> false);
        assertThat(names(place)).containsExactly("one");
        mounts.release(one.metadata(), () -> true);
        assertThat(place).doesNotExist();
    }

    private RootMounts mounts() throws IOException {
        for (String layer : List.of("objects", "late", "gate/fetch", "gate/verdict")) {
            Files.createDirectories(root.resolve(layer));
        }
        return new RootMounts(root, true, events);
    }

    private Path open(RootMounts mounts, PlanLayer layer, boolean inner) throws IOException {
        return Path.of(
                mounts.open(layer, file(layer), inner, List.of()).lowerdir().split(":", 2)[0]);
    }

    private List<Integer> ids(PlanLayer layer) throws IOException {
        return MountTable.read().below(root.resolve("mounts")).stream()
                .filter(entry -> entry.target().endsWith(layer.metadata().hex()))
                .map(MountTable.Entry::id)
                .toList();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    /** A metadata image of one directory; the first twelve digits of digest and chain ID are the same for all. */
    private PlanLayer image(String name, String rest) throws IOException {
        Digest digest = new Digest("11dd9a2dfa2c" + rest.repeat(52));
        PlanLayer layer = new PlanLayer(new ChainId(digest), digest, 1);
        Attributes attributes = Attributes.of(0755, 0, 0, 0, 0);
        FileTree tree = new FileTree(attributes);
        tree.put(FilePath.ofText(name), new Inode.Directory(attributes));
        Files.createDirectories(root.resolve("metadata"));
        try (OutputStream out = Files.newOutputStream(file(layer))) {
            ErofsWriter.write(tree, out);
        }
        return layer;
    }

    private Path file(PlanLayer layer) {
        return root.resolve("metadata").resolve(layer.metadata().hex() + ".erofs");
    }

    private String directory(String parent, PlanLayer layer) throws IOException {
        return Files.createDirectories(
                        root.resolve(parent).resolve(layer.metadata().hex()))
                .toString();
    }

    private static PlanLayer layer(int i) {
        Digest digest = Digest.of(new byte[] {(byte) i});
        return new PlanLayer(new ChainId(digest), digest, 1);
    }
}
