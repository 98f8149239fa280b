package io.faasimage.refactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import java.util.ArrayList;
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
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            image.put(FilePath.ofText(path.substring(0, slash)), new Inode.Directory(DIRECTORY));
        }
        image.put(FilePath.ofText(path), Inode.RegularFile.of(FILE, size, Digest.of(new byte[] {(byte) size})));
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
                        .contains("12 Python modules (0.0 MB")
                        .endsWith(": RUN python3.11 -m compileall -q /app || true"));
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("node")))
                .isEmpty();
        for (int i = 0; i < 12; i++) {
            put("app/__pycache__/m" + i + ".cpython-311.pyc", 10);
        }
        assertThat(MissingBytecode.of(image, startup(read), python)).isEmpty();
        assertThat(MissingBytecode.of(image, startup(read), Optional.of("python3.12")))
                .isPresent();
    }

    @Test
    void theDockerfileGetsTheDirectoriesOfLibrariesAndOfTheFunction() {
        List<String> read = new ArrayList<>(List.of("app/$(id)/m.py", "srv/main.py", "srv/deep/er.py"));
        for (int i = 0; i < 9; i++) {
            read.add("usr/lib/python3.11/json/m" + i + ".py");
            read.add("opt/venv/site-packages/a" + i + "/m.py");
        }
        read.forEach(path -> put(path, 1));
        assertThat(MissingBytecode.of(image, startup(read.toArray(String[]::new)), Optional.of("python3.11")))
                .hasValueSatisfying(missing -> assertThat(missing.directories())
                        .containsExactly("/opt/venv/site-packages", "/srv", "/usr/lib/python3.11"));
    }
}
