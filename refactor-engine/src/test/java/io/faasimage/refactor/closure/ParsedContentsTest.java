package io.faasimage.refactor.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.refactor.closure.reads.ClosureLimits;
import io.faasimage.refactor.closure.reads.ParsedContents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closures that use what earlier analyses parsed. */
class ParsedContentsTest {
    private static final long ROOM = 1 << 20;
    private static final String PYTHON = "/usr/lib/python3.11";

    private static final List<String[]> COMMANDS = List.of(
            new String[] {"python3.11", "index.py"},
            new String[] {"node", "index.js"},
            new String[] {"ruby", "index.rb"},
            new String[] {"php", "index.php"},
            new String[] {"perl", "index.pl"},
            new String[] {"java", "-jar", "index.jar"},
            new String[] {"sh", "start.sh"});

    private static MadeImage image(String handler) {
        MadeImage image = new MadeImage()
                .file("/etc/ld.so.conf", "/opt/lib\n")
                .file("/etc/ld.so.cache", "none")
                .elf(MadeElf.GLIBC, MadeElf.library())
                .elf("/opt/lib/libz.so.1", MadeElf.library("libm.so.6"))
                .elf("/opt/lib/libm.so.6", MadeElf.library())
                .file(PYTHON + "/os.py", "import abc\n")
                .file(
                        PYTHON + "/lib-dynload/one.cpython-311-x86_64-linux-gnu.so",
                        MadeElf.library("libz.so.1").bytes())
                .file(PYTHON + "/site-packages/two/__init__.py", "import one, two.late\nNAME = 'two.named'\n")
                .file(PYTHON + "/site-packages/two/late.py", "def late():\n    import two.never\n")
                .file(PYTHON + "/site-packages/two/never.py", "# never\n")
                .file(PYTHON + "/site-packages/two/named.py", "# named\n")
                .file("/usr/lib/ruby/3.1.0/rubygems.rb", "# rubygems\n")
                .file("/app/handler.py", handler)
                .file("/app/index.py", "import handler\n")
                .file("/app/index.js", "require('./part')\n")
                .file("/app/part.js", "const a = 'data.json'\n")
                .file("/app/package.json", "{\"main\": \"index.js\"}")
                .file("/app/index.rb", "require_relative './part'\n")
                .file("/app/part.rb", "# part\n")
                .file("/app/index.php", "<?php include __DIR__ . '/part.php';")
                .file("/app/part.php", "<?php // part")
                .file("/app/index.pl", "require 'part.pl';\n")
                .file("/app/part.pl", "1;\n")
                .file("/app/index.jar", "damaged")
                .file("/app/start.sh", "exec python3.11 index.py\n");
        for (String program : List.of("python3.11", "node", "ruby", "php", "perl", "java", "sh")) {
            image.elf("/usr/bin/" + program, MadeElf.program(MadeElf.GLIBC, "libz.so.1"));
        }
        return image;
    }

    private static void assertSame(MadeImage image, ParsedContents parsed, String... command) throws Exception {
        StaticClosure without = image.parsedBefore(new ParsedContents(0)).closure(command);
        assertThat(image.parsedBefore(parsed).closure(command)).isEqualTo(without);
    }

    @Test
    void anImageAndTheNextVersionHaveTheClosuresThatTheyHaveAlone() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        for (String handler : List.of("import two\n", "import two\n", "import one\n", "data = 'part.js'\n")) {
            for (String[] command : COMMANDS) {
                assertSame(image(handler), parsed, command);
            }
        }
    }

    @Test
    void onlyWhatTheNextVersionHasOtherwiseIsRead() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        for (String[] command : COMMANDS) {
            image("import two\n").parsedBefore(parsed).closure(command);
        }
        MadeImage next = image("import two # other\n").parsedBefore(parsed);
        for (String[] command : COMMANDS) {
            next.closure(command);
        }
        assertThat(next.opened()).isEqualTo(1);
    }

    @Test
    void theSameSourceIsParsedAgainForAnotherVersionOfPython() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        String source = "import sys\nif sys.version_info >= (3, 12):\n    import one\n";
        assertSame(image(source), parsed, "python3.11", "index.py");
        MadeImage newer = image(source)
                .elf("/usr/bin/python3.12", MadeElf.program(""))
                .file("/usr/lib/python3.12/os.py", "# os\n")
                .file("/usr/lib/python3.12/one.py", "# one\n");
        assertSame(newer, parsed, "python3.12", "index.py");
        assertThat(newer.reads("python3.12", "index.py")).contains("/usr/lib/python3.12/one.py");
    }

    @Test
    void limitsCountWhatIsNotReadAgain() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        image("import two\n").parsedBefore(parsed).closure("python3.11", "index.py");
        ClosureLimits usual = ClosureLimits.DEFAULT;
        for (long bytes = 1; bytes < 2000; bytes += 7) {
            MadeImage image = image("import two\n")
                    .limited(new ClosureLimits(
                            usual.maxFiles(), bytes, usual.maxSourceBytes(), usual.maxRuns(), usual.minConfidence()));
            assertSame(image, parsed, "python3.11", "index.py");
        }
        MadeImage strict = image("import two\n")
                .limited(new ClosureLimits(
                        usual.maxFiles(), usual.maxBytes(), 12, usual.maxRuns(), usual.minConfidence()));
        assertSame(strict, parsed, "python3.11", "index.py");
        // What was found within these limits is no answer without them.
        assertSame(image("import two\n"), parsed, "python3.11", "index.py");
    }

    @Test
    void aShortFileThatIsDamagedEndsTheAnalysis() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        MadeImage damaged =
                image("import two\n").damaged("/app/handler.py", "import one\n").parsedBefore(parsed);
        assertThatThrownBy(() -> damaged.closure("python3.11", "index.py"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
        assertSame(image("import two\n"), parsed, "python3.11", "index.py");
    }

    @Test
    void aLargeFileIsCachedWhenAllOfItWasRead() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        String large = "import two\n" + "# padding\n".repeat(20_000);
        assertThat(large.getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(128 << 10);
        assertSame(image(large), parsed, "python3.11", "index.py");
        MadeImage again = image(large).parsedBefore(parsed);
        again.closure("python3.11", "index.py");
        assertThat(again.opened()).isZero();
    }

    @Test
    void aLargeFileThatIsOnlyLookedIntoIsCachedWhenItIsVerified() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        byte[] large = Arrays.copyOf(MadeElf.library("libm.so.6").bytes(), 300_000);
        MadeImage first = image("import one\n").file("/opt/lib/libz.so.1", large);
        assertSame(first, parsed, "python3.11", "index.py");
        MadeImage again =
                image("import one\n").file("/opt/lib/libz.so.1", large).parsedBefore(parsed);
        assertThat(again.reads("python3.11", "index.py")).contains("/opt/lib/libz.so.1", "/opt/lib/libm.so.6");
        assertThat(again.opened()).isZero();
    }

    @Test
    void aLargeFileThatIsDamagedEndsTheAnalysis() {
        String bytes = new String(MadeElf.library("libm.so.6").bytes(), StandardCharsets.ISO_8859_1);
        MadeImage image = image("import one\n")
                .file(
                        "/opt/lib/libz.so.1",
                        Arrays.copyOf(MadeElf.library("libm.so.6").bytes(), 300_000))
                .damaged("/opt/lib/libz.so.1", bytes + "damage".repeat(50_000))
                .parsedBefore(new ParsedContents(ROOM));
        assertThatThrownBy(() -> image.closure("python3.11", "index.py"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
    }

    @Test
    void bytesBehindTheEndOfALargeFileAreDamage() {
        // A whole number of the pieces in which Java reads a stream, so that one of them ends where the file should.
        String jar = "damaged!".repeat(10 * (16 << 10) / 8);
        MadeImage image = image("import one\n")
                .file("/app/index.jar", jar)
                .damaged("/app/index.jar", jar + "more")
                .parsedBefore(new ParsedContents(ROOM));
        assertThatThrownBy(() -> image.closure("java", "-jar", "index.jar"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"python3.11 index.py", "node index.js", "ruby index.rb", "php index.php", "perl index.pl"})
    void shortStringsWeighMoreThanTheirSource(String command) throws Exception {
        StringBuilder source = new StringBuilder("<?php\n");
        for (int i = 0; i < 1000; i++) {
            source.append("$a = 's").append(i).append("';\n");
        }
        String[] words = command.split(" ");
        ParsedContents parsed = new ParsedContents(ROOM);
        image("import one\n")
                .file("/app/" + words[1], source.toString())
                .parsedBefore(parsed)
                .closure(words);
        assertThat(parsed.weight()).isGreaterThan(90_000);
    }

    private static MadeImage tableOfClasses() {
        return image("import one\n")
                .file("/app/index.php", "<?php require __DIR__ . '/vendor/autoload_classmap.php'; new Made();")
                .file(
                        "/app/vendor/autoload_classmap.php",
                        "<?php return array('Made' => __DIR__ . '/made.php');" + " // padding".repeat(200))
                .file("/app/vendor/made.php", "<?php class Made extends Other {}");
    }

    @Test
    void aTableOfClassesIsReadOnce() throws Exception {
        MadeImage image = tableOfClasses();
        assertThat(image.reads("php", "index.php")).contains("/app/vendor/made.php");
        assertThat(image.opened("/app/vendor/autoload_classmap.php")).isEqualTo(1);
    }

    @Test
    void limitsCountTablesOfClasses() throws Exception {
        ParsedContents parsed = new ParsedContents(ROOM);
        tableOfClasses().parsedBefore(parsed).closure("php", "index.php");
        ClosureLimits usual = ClosureLimits.DEFAULT;
        for (long bytes = 1; bytes < 12_000; bytes += 101) {
            MadeImage image = tableOfClasses()
                    .limited(new ClosureLimits(
                            usual.maxFiles(), bytes, usual.maxSourceBytes(), usual.maxRuns(), usual.minConfidence()));
            assertSame(image, parsed, "php", "index.php");
        }
    }

    @Test
    void theCacheIsBounded() throws Exception {
        ParsedContents parsed = new ParsedContents(10_000);
        for (int i = 0; i < 200; i++) {
            image("import two # " + i + "\n").parsedBefore(parsed).closure("python3.11", "index.py");
            assertThat(parsed.weight()).isBetween(1L, 10_000L);
        }
        // What was used last is cached still.
        MadeImage last = image("import two # 199\n").parsedBefore(parsed);
        last.closure("python3.11", "index.py");
        assertThat(last.opened()).isZero();
        ParsedContents none = new ParsedContents(0);
        image("import two\n").parsedBefore(none).closure("python3.11", "index.py");
        assertThat(none.weight()).isZero();
    }
}
