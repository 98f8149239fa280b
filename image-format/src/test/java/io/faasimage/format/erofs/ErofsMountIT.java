package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts metadata images with the running kernel and compares every entry. Needs root. */
class ErofsMountIT {
    @TempDir
    Path temp;

    @BeforeEach
    void needsRoot() throws Exception {
        boolean permitted = Mounted.permitted();
        if (!permitted) {
            System.out.println("skipped: mounting needs root");
        }
        assumeTrue(permitted, "mounting needs root");
    }

    @Test
    void kernelSeesEveryEntryAsItWasWritten() throws Exception {
        assertMountsAs(Trees.everything());
    }

    @Test
    void directoryOfFiftyThousandEntries() throws Exception {
        FileTree tree = Trees.empty();
        Trees.put(tree, "big", new Inode.Directory(Trees.ROOT));
        for (int i = 0; i < 50_000; i++) {
            Trees.put(
                    tree,
                    "big/" + Digest.of(Trees.bytes("" + i)).hex().substring(0, 1 + i % 64) + i,
                    Trees.file(Trees.ROOT, 1, "x"));
        }
        assertMountsAs(tree);
    }

    @Test
    void emptyRoot() throws Exception {
        assertMountsAs(Trees.empty());
    }

    @Test
    void filesOfThisMachineSurvive() throws Exception {
        List<FilePath> wanted = List.of(
                FilePath.ofText("etc"),
                FilePath.ofText("usr/share"),
                FilePath.ofText("usr/bin"),
                FilePath.ofText("usr/lib/python3"),
                FilePath.ofText("dev"));
        Predicate<FilePath> filter = path -> wanted.stream().anyMatch(w -> path.isAtOrBelow(w) || w.isAtOrBelow(path));
        FileTree tree = HostTree.scan("", (path, xattrs) -> Digest.of(path), filter.and(this::stable));
        System.out.println("entries of this machine: " + tree.size());
        assertMountsAs(tree);
    }

    private boolean stable(FilePath path) {
        return !path.isAtOrBelow(FilePath.ofText("dev/fd")) && !path.raw().matches("dev/(pts|shm|mqueue|hugepages)/.*");
    }

    @Test
    void overlayOpensTheObjectsBehindTheStubs() throws Exception {
        Path objects = Files.createDirectory(temp.resolve("objects"));
        FileTree tree = HostTree.scan("/etc", (path, xattrs) -> store(objects, path), path -> true);
        Path image = write(tree);
        Path meta = temp.resolve("meta");
        try (Mounted lower = mount(image, meta);
                Mounted overlay = Mounted.at(
                        temp.resolve("root"),
                        "-t",
                        "overlay",
                        "-o",
                        "ro,metacopy=on,redirect_dir=on,lowerdir=" + lower.point() + "::" + objects,
                        "overlay")) {
            FileTree seen =
                    HostTree.scan(overlay.point().toString(), (path, xattrs) -> Digest.of(read(path)), path -> true);
            Trees.assertSame(seen, tree);
        }
    }

    @Test
    void overlayFailsToOpenAStubWithoutItsObject() throws Exception {
        FileTree tree = Trees.empty();
        Trees.put(tree, "missing", Trees.file(Trees.withXattrs(Map.of("user.kept", new byte[] {1})), 7, "missing"));
        Path objects = Files.createDirectory(temp.resolve("objects"));
        Path image = write(tree);
        try (Mounted lower = mount(image, temp.resolve("meta"));
                Mounted overlay = Mounted.at(
                        temp.resolve("root"),
                        "-t",
                        "overlay",
                        "-o",
                        "ro,metacopy=on,redirect_dir=on,lowerdir=" + lower.point() + "::" + objects,
                        "overlay")) {
            Path missing = overlay.point().resolve("missing");
            assertThat(Files.size(missing)).isEqualTo(7);
            assertThat(catchThrowable(() -> Files.readAllBytes(missing))).isInstanceOf(IOException.class);
        }
    }

    private void assertMountsAs(FileTree tree) throws Exception {
        Path image = write(tree);
        try (Mounted mounted = mount(image, temp.resolve("mnt"))) {
            Trees.assertSame(HostTree.ofStubs(mounted.point().toString()), tree);
        }
        Fsck.check(image);
    }

    private Path write(FileTree tree) throws IOException {
        Path image = temp.resolve("image.erofs");
        Files.write(image, Trees.image(tree));
        return image;
    }

    private static Mounted mount(Path image, Path point) throws IOException {
        return Mounted.at(point, "-t", "erofs", "-o", "ro,loop", image.toString());
    }

    private static Digest store(Path objects, byte[] path) throws IOException {
        byte[] content = read(path);
        Digest digest = Digest.of(content);
        Path object = objects.resolve(digest.objectPath());
        Files.createDirectories(object.getParent());
        Files.write(object, content);
        return digest;
    }

    private static byte[] read(byte[] path) throws IOException {
        return Files.readAllBytes(Path.of(new String(path, StandardCharsets.UTF_8)));
    }
}
