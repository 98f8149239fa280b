package io.faasimage.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.closure.read.ClosureLimits;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with programs of the machine's own distribution: their closure must have all files that they load. */
class MachineClosureTest {
    @TempDir
    private Path directory;

    @Test
    void python() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/python3")), "the machine has no Python: apt-get install python3");
        String program = """
                import json, http.server, decimal, ssl, logging.handlers, concurrent.futures, sys
                for m in list(sys.modules.values()):
                    f = getattr(m, '__cached__', None) or getattr(m, '__file__', None)
                    if f and getattr(m.__spec__, 'origin', None) != 'frozen': print(f)
                for line in open('/proc/self/maps'):
                    if '.so' in line: print(line.split()[-1])
                """;
        assertLoadedIsPredicted("/usr/bin/python3", "-c", program);
    }

    private void assertLoadedIsPredicted(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        MachineFiles files = new MachineFiles();
        Set<String> loaded = printed.lines()
                .filter(path -> path.startsWith("/"))
                .flatMap(path -> files.file(path).stream())
                .map(ImageEntry.File::name)
                .collect(Collectors.toSet());
        Optional<Invocation> start =
                Invocation.ofImage(List.of(command), List.of("PATH=/usr/bin"), directory.toString());
        Set<String> predicted = StaticClosure.of(files, start, ClosureLimits.DEFAULT).files().stream()
                .map(file -> file.path().display())
                .collect(Collectors.toSet());
        assertThat(loaded).hasSizeGreaterThan(15);
        assertThat(predicted).containsAll(loaded);
    }

    /** The machine's own root file system. */
    private static final class MachineFiles implements ImageFiles {
        @Override
        public Optional<ImageEntry> find(String path) {
            try {
                Path real = Path.of("/" + path).toRealPath();
                FilePath at = FilePath.ofText(real.toString().substring(1));
                if (Files.isDirectory(real)) {
                    return Optional.of(new ImageEntry.Directory(at));
                }
                long modified = Files.getLastModifiedTime(real).toMillis() / 1000;
                return Optional.of(new ImageEntry.File(
                        at, Files.size(real), modified, Files.isExecutable(real), Optional.empty()));
            } catch (IOException | InvalidPathException e) {
                return Optional.empty();
            }
        }

        @Override
        public List<String> names(FilePath path) {
            try (Stream<Path> names = Files.list(Path.of("/" + path.raw()))) {
                return names.map(name -> name.getFileName().toString()).sorted().toList();
            } catch (IOException e) {
                return List.of();
            }
        }

        @Override
        public InputStream open(ImageEntry.File file) throws IOException {
            return Files.newInputStream(Path.of(file.name()));
        }
    }
}
