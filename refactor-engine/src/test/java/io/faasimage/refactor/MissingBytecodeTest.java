package io.faasimage.refactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MissingBytecodeTest {
    private static final long MTIME = 1_700_000_000L;
    private static final Attributes DIRECTORY = Attributes.of(0755, 0, 0, MTIME, 0);
    private static final Attributes FILE = Attributes.of(0644, 0, 0, MTIME, 0);

    private final FileTree image = new FileTree(DIRECTORY);

    private void put(String path, long size) {
        image.put(FilePath.ofText(path), Inode.RegularFile.of(FILE, size, Digest.of(new byte[] {(byte) size})));
    }

    private static List<StartupFile> startup(String... paths) {
        return Arrays.stream(paths)
                .map(path -> new StartupFile(FilePath.ofText(path), Optional.empty()))
                .toList();
    }

    @Test
    void sourcesWithoutBytecodeAreCounted() {
        image.put(FilePath.ofText("app"), new Inode.Directory(DIRECTORY));
        IntStream.range(0, 12).forEach(i -> put("app/m" + i + ".py", 1000));
        String[] read =
                IntStream.range(0, 12).mapToObj(i -> "app/m" + i + ".py").toArray(String[]::new);
        Optional<String> python = Optional.of("python3.11");
        assertThat(MissingBytecode.of(image, startup(read), python))
                .hasValueSatisfying(missing -> assertThat(missing.warning())
                        .contains("12 Python modules (0.0 MB")
                        .endsWith(": RUN python3.11 -m compileall -q /app || true"));
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("node")))
                .isEmpty();
        String[] libraries = IntStream.range(0, 12)
                .mapToObj(i -> "usr/lib/python3.11/" + (i < 6 ? "m" : "site-packages/a" + i + "/m") + i + ".py")
                .toArray(String[]::new);
        for (String library : libraries) {
            for (int slash = library.indexOf('/'); slash > 0; slash = library.indexOf('/', slash + 1)) {
                image.put(FilePath.ofText(library.substring(0, slash)), new Inode.Directory(DIRECTORY));
            }
            put(library, 1);
        }
        assertThat(MissingBytecode.of(image, startup(libraries), python))
                .hasValueSatisfying(
                        missing -> assertThat(missing.directories()).containsExactly("/usr/lib/python3.11"));
        image.put(FilePath.ofText("app/__pycache__"), new Inode.Directory(DIRECTORY));
        for (int i = 0; i < 12; i++) {
            put("app/__pycache__/m" + i + ".cpython-311.pyc", 10);
        }
        assertThat(MissingBytecode.of(image, startup(read), python)).isEmpty();
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("python3.12")))
                .isPresent();
    }
}
