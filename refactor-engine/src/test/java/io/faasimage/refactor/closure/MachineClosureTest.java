package io.faasimage.refactor.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.reads.ClosureLimits;
import io.faasimage.refactor.closure.reads.ParsedContents;
import io.faasimage.refactor.image.ImageConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the machine's own distribution: what they load when they run must be in their closure. */
class MachineClosureTest {
    private static final Path ROOT = Path.of("/");
    private static final List<String> PLACES = List.of(
            "bin", "etc", "lib", "lib64", "usr/bin", "usr/lib", "usr/lib64", "usr/share/perl", "usr/share/perl5");
    private static final Set<String> LARGE = Set.of("jvm", "modules", "firmware", "debug", "go", "gcc", "locale");

    private static ImageFiles files;

    @TempDir
    private Path directory;

    @BeforeAll
    static void look() throws Exception {
        files = DirectoryTree.of(ROOT, PLACES, LARGE);
    }

    @Test
    void perl() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "the machine has no Perl: apt-get install perl");
        String program = """
                use strict; use warnings; use POSIX qw(floor); use List::Util 'sum'; use File::Temp;
                use Socket; use Data::Dumper; print "$_\\n" for values %INC;
                open my $maps, '<', '/proc/self/maps'; while (<$maps>) { print "$1\\n" if /(\\/.*\\.so.*)$/ }
                """;
        assertLoadedIsPredicted("/usr/bin/perl", "-e", program);
    }

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
        Set<String> loaded = new String(TestImages.run(directory, command), StandardCharsets.UTF_8)
                .lines()
                .filter(path -> path.startsWith("/"))
                .flatMap(path -> files.file(path).stream())
                .map(file -> file.path().display())
                .collect(Collectors.toSet());
        ImageConfig config = new ImageConfig(
                List.of("PATH=/usr/bin"), Map.of(), List.of(), List.of(command), List.of(), directory.toString(), "");
        Set<String> predicted =
                StaticClosure.of(files, config, ClosureLimits.DEFAULT, new ParsedContents(0)).files().stream()
                        .map(file -> file.path().display())
                        .collect(Collectors.toSet());
        assertThat(loaded).hasSizeGreaterThan(15);
        assertThat(predicted).containsAll(loaded);
    }
}
