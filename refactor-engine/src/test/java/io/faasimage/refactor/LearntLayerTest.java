package io.faasimage.refactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LearntLayerTest {
    private static final long MTIME = 1_700_000_000L;
    private static final Attributes DIRECTORY = Attributes.of(0755, 0, 0, MTIME, 0);
    private static final Attributes FILE = Attributes.of(0644, 0, 0, MTIME, 0);
    private static final FilePath BYTECODE = FilePath.ofText("app/__pycache__/m.cpython-311.pyc");

    private final FileTree image = new FileTree(DIRECTORY);

    LearntLayerTest() {
        image.put(FilePath.ofText("app"), new Inode.Directory(DIRECTORY));
        image.put(FilePath.ofText("link"), new Inode.Symlink(FILE, "app"));
        put("app/m.py", 100);
        put("app/index.php", 50);
    }

    private void put(String path, long size) {
        image.put(FilePath.ofText(path), Inode.RegularFile.of(FILE, size, Digest.of(new byte[] {(byte) size})));
    }

    private static LearntFile bytecode(String path, int flags, long mtime, int size) {
        ByteBuffer header = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0x0a0d0da7).putInt(flags).putInt((int) mtime).putInt(size);
        return new LearntFile(FilePath.ofText(path), FILE, header.array());
    }

    private static LearntFile file(String path) {
        return new LearntFile(FilePath.ofText(path), FILE, new byte[] {1});
    }

    private LearntLayer layer(LearntFile... files) {
        List<LearntFile> sorted =
                Stream.of(files).sorted(Comparator.comparing(LearntFile::path)).toList();
        return LearntLayer.of(new LearntCaches(new ChainId(Digest.of(new byte[1])), sorted), image);
    }

    private List<String> kept(LearntFile... files) {
        return layer(files).files().stream().map(file -> file.path().raw()).toList();
    }

    @Test
    void bytecodeIsOfASourceThatTheImageHas() {
        assertThat(kept(
                        bytecode(BYTECODE.raw(), 0, MTIME, 100),
                        bytecode("app/__pycache__/m.cpython-311.opt-1.pyc", 0, MTIME, 100)))
                .hasSize(2);
        LearntLayer others = layer(
                bytecode("app/__pycache__/m.cpython-311.pyc", 0, MTIME + 1, 100),
                bytecode("app/__pycache__/m.cpython-312.pyc", 0, MTIME, 101),
                bytecode("app/__pycache__/m.cpython-313.pyc", 1, MTIME, 100),
                bytecode("app/__pycache__/made.cpython-311.pyc", 0, MTIME, 100));
        assertThat(others.files()).isEmpty();
        assertThat(others.leftOut()).isEqualTo(4);
    }

    @Test
    void aScriptInOpcacheIsOfASourceThatTheImageHas() {
        String cache = "var/opcache/0123456789abcdef0123456789abcdef/";
        assertThat(kept(file(cache + "app/index.php.bin"), file(cache + "tmp/uploaded.php.bin")))
                .containsExactly(cache + "app/index.php.bin");
    }

    @Test
    void nothingButFilesOfCachesChange() {
        image.put(FilePath.ofText("app/__pycache__"), new Inode.Directory(DIRECTORY));
        image.put(BYTECODE, new Inode.Symlink(FILE, "/usr/bin/python3"));
        assertThat(kept(
                        bytecode(BYTECODE.raw(), 0, MTIME, 100),
                        file("link/bootsnap/load-path-cache"),
                        file("app/m.py/bootsnap/load-path-cache")))
                .isEmpty();
        FileTree before = new FileTree(DIRECTORY);
        image.inodes().forEach(before::put);
        layer(file("app/tmp/cache/bootsnap/load-path-cache")).addTo(image);
        assertThat(image.inodes().keySet())
                .filteredOn(path -> before.get(path).isEmpty())
                .extracting(FilePath::raw)
                .containsExactly(
                        "app/tmp", "app/tmp/cache", "app/tmp/cache/bootsnap", "app/tmp/cache/bootsnap/load-path-cache");
        before.inodes().forEach((path, inode) -> assertThat(image.get(path)).contains(inode));
    }

    @Test
    void aFileBelowAnotherFileIsLeftOut() {
        String cache = "app/bootsnap/load-path-cache";
        String below = cache + "/bootsnap/load-path-cache";
        LearntLayer learnt = layer(file(cache), file(below), file("app/z/bootsnap/load-path-cache"));
        learnt.addTo(image);
        assertThat(learnt.files())
                .extracting(file -> file.path().raw())
                .containsExactly(cache, "app/z/bootsnap/load-path-cache");
        assertThat(learnt.leftOut()).isOne();
    }

    @Test
    void bytecodeTakesThePlaceOfItsSourceInThePrefetchList() {
        LearntLayer learnt = layer(bytecode(BYTECODE.raw(), 0, MTIME, 100), file("app/bootsnap/load-path-cache"));
        assertThat(learnt.order(startup("a", "app/m.py", "b", "app/m.py")))
                .extracting(file -> file.path().raw())
                .containsExactly("a", BYTECODE.raw(), "b", "app/bootsnap/load-path-cache");
    }

    private static List<StartupFile> startup(String... paths) {
        return Arrays.stream(paths)
                .map(path -> new StartupFile(FilePath.ofText(path), Optional.empty()))
                .toList();
    }

    @Test
    void sourcesWithoutBytecodeAreCounted() {
        IntStream.range(0, 12).forEach(i -> put("app/m" + i + ".py", 1000));
        String[] read =
                IntStream.range(0, 12).mapToObj(i -> "app/m" + i + ".py").toArray(String[]::new);
        Optional<String> python = Optional.of("python3.11");
        assertThat(MissingBytecode.of(image, startup(read), python))
                .hasValueSatisfying(missing -> assertThat(missing.warning())
                        .contains("12 Python modules (0.0 MB", "compileall", "--learn-caches"));
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("node")))
                .isEmpty();
        image.put(FilePath.ofText("app/__pycache__"), new Inode.Directory(DIRECTORY));
        for (int i = 0; i < 12; i++) {
            put("app/__pycache__/m" + i + ".cpython-311.pyc", 10);
        }
        assertThat(MissingBytecode.of(image, startup(read), python)).isEmpty();
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("python3.12")))
                .isPresent();
    }
}
