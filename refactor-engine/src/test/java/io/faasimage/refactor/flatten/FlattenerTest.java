package io.faasimage.refactor.flatten;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.layer.LayerEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Layers on one another, as containerd's overlayfs snapshotter shows them. */
class FlattenerTest {
    private static final Attributes PLAIN = Attributes.of(0644, 0, 0, 1, 0);
    private static final int MAX_ENTRIES = 12;
    private static final Attributes OWN = Attributes.of(0700, 5, 6, 7, 8);

    private final Flattener flattener = new Flattener(MAX_ENTRIES);

    @Test
    void aWhiteoutHidesAFile() throws Exception {
        apply(directory("a"), file("a/gone"), file("a/kept"));
        apply(new LayerEntry.Whiteout(path("a/gone")));
        assertPaths("/", "/a", "/a/kept");
    }

    @Test
    void aDirectoryAfterItsWhiteoutIsMerged() throws Exception {
        apply(directory("a"), file("a/lower"));
        apply(new LayerEntry.Whiteout(path("a")), directory("a"), file("a/upper"));
        assertPaths("/", "/a", "/a/lower", "/a/upper");
    }

    @Test
    void aFileAfterItsWhiteoutReplacesADirectory() throws Exception {
        apply(directory("a"), file("a/lower"));
        apply(new LayerEntry.Whiteout(path("a")), file("a"));
        assertPaths("/", "/a");
    }

    @Test
    void anOpaqueDirectoryHidesWhatIsBelow() throws Exception {
        apply(directory("a"), file("a/lower"), directory("a/b"), file("a/b/deep"));
        apply(directory("a"), new LayerEntry.Opaque(path("a")), file("a/upper"));
        assertPaths("/", "/a", "/a/upper");
    }

    @Test
    void anOpaqueRootHidesNothing() throws Exception {
        apply(file("lower"));
        apply(new LayerEntry.Opaque(FilePath.ROOT), file("upper"));
        assertPaths("/", "/lower", "/upper");
    }

    @Test
    void markersMakeTheirParents() throws Exception {
        apply(new LayerEntry.Opaque(path("a/b")), new LayerEntry.Whiteout(path("c/d/gone")));
        assertPaths("/", "/a", "/a/b", "/c", "/c/d");
        assertThat(get("c/d").attributes().mode()).isEqualTo(0755);
    }

    @Test
    void aMarkerInAFileIsRefused() {
        assertThatThrownBy(() -> apply(file("a"), new LayerEntry.Whiteout(path("a/gone"))))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("layer 1: entry '/a/gone': no directory at /a");
    }

    @Test
    void anInterruptedThreadFlattensNoMore() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> apply(file("a")))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anImplicitParentIsLikeTheDirectoryBelow() throws Exception {
        apply(new LayerEntry.Put(path("a"), new Inode.Directory(OWN)), directory("a/b"), file("a/b/lower"));
        apply(file("a/upper"));
        apply(new LayerEntry.Opaque(path("a")), file("a/b/upper"));
        assertPaths("/", "/a", "/a/b", "/a/b/upper");
        assertThat(get("a").attributes()).isSameAs(OWN);
        assertThat(get("a/b").attributes()).isSameAs(PLAIN);
    }

    @Test
    void anImplicitParentOverALinkIsLikeItsTarget() throws Exception {
        apply(
                directory("usr"),
                new LayerEntry.Put(path("usr/lib"), new Inode.Directory(OWN)),
                file("usr/lib/lower"),
                new LayerEntry.Put(path("lib"), new Inode.Symlink(PLAIN, "usr/lib")));
        apply(file("lib/upper"));
        assertPaths("/", "/lib", "/lib/upper", "/usr", "/usr/lib", "/usr/lib/lower");
        assertThat(get("lib").attributes()).isSameAs(OWN);
    }

    @Test
    void theLastHeaderOfAHardLinkWinsForAllNames() throws Exception {
        Attributes capable = new Attributes(
                0755, 0, 0, 1, 0, new TreeMap<>(Map.of("security.capability", new byte[1], "user.a", new byte[1])));
        apply(
                new LayerEntry.Put(path("a"), Inode.RegularFile.empty(capable)),
                new LayerEntry.HardLink(path("b"), path("a"), PLAIN),
                new LayerEntry.HardLink(path("c"), path("b"), OWN));
        assertThat(get("a").attributes().mode()).isEqualTo(0700);
        assertThat(get("a").attributes().uid()).isEqualTo(5);
        assertThat(get("a").attributes().mtimeNanos()).isEqualTo(8);
        assertThat(get("a").attributes().xattrs()).containsOnlyKeys("user.a");
        assertThat(get("b")).isSameAs(get("a"));
        assertThat(get("c")).isSameAs(get("a"));
    }

    @Test
    void aHardLinkToASymbolicLinkKeepsItsMode() throws Exception {
        Attributes open = Attributes.of(0777, 0, 0, 1, 0);
        apply(
                new LayerEntry.Put(path("a"), new Inode.Symlink(open, "x")),
                new LayerEntry.HardLink(path("b"), path("a"), OWN));
        assertThat(get("b").attributes().mode()).isEqualTo(0777);
        assertThat(get("b").attributes().uid()).isEqualTo(5);
    }

    @Test
    void aHardLinkToALowerFileTakesItAsItIs() throws Exception {
        apply(file("a"));
        apply(new LayerEntry.HardLink(path("b"), path("a"), OWN));
        assertThat(get("b")).isSameAs(get("a"));
        assertThat(get("b").attributes()).isSameAs(PLAIN);
    }

    @Test
    void directoriesThatAPathImpliesCount() throws Exception {
        apply(file("1/2/3/4/5/6"), file("1/2/3/4/5/7"));
        apply(file("1/2/3/8"));
        assertThatThrownBy(() -> apply(file("9/10")))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.LIMIT))
                .hasMessageContaining("layer 3: the layers have more than the limit of 12 entries");
    }

    @Test
    void asManyEntriesAsTheLimitAreTaken() throws Exception {
        apply(file("1/2/3/4/5/6/7/8/9/10/11/12"));
        assertThatThrownBy(() -> apply(file("13"))).hasMessageContaining("limit of 12 entries");
    }

    private void apply(LayerEntry... entries) throws RefactorException {
        flattener.apply(List.of(entries));
    }

    private static LayerEntry directory(String name) {
        return new LayerEntry.Put(path(name), new Inode.Directory(PLAIN));
    }

    private static LayerEntry file(String name) {
        return new LayerEntry.Put(path(name), Inode.RegularFile.empty(PLAIN));
    }

    private static FilePath path(String name) {
        return FilePath.ofText(name);
    }

    private Inode get(String name) {
        return flattener.tree().get(path(name)).orElseThrow();
    }

    private void assertPaths(String... paths) {
        FileTree tree = flattener.tree();
        assertThat(tree.inodes().keySet().stream().map(FilePath::display)).containsExactly(paths);
    }
}
