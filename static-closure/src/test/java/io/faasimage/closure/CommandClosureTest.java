package io.faasimage.closure;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.closure.read.ClosureFile;
import io.faasimage.closure.read.ClosureLimits;
import org.junit.jupiter.api.Test;

/** Programs, scripts and the loader. */
class CommandClosureTest {
    private static MadeImage image() {
        return new MadeImage()
                .elf("/usr/lib64/ld-linux-x86-64.so.2", MadeElf.library().withSoname("ld-linux-x86-64.so.2"))
                .link("/lib64", "usr/lib64")
                .elf("/usr/lib/x86_64-linux-gnu/libc.so.6", MadeElf.library("ld-linux-x86-64.so.2"))
                .elf("/usr/bin/dash", MadeElf.program(MadeElf.GLIBC, "libc.so.6"))
                .link("/usr/bin/sh", "dash")
                .link("/bin", "usr/bin")
                .elf("/usr/bin/env", MadeElf.program(MadeElf.GLIBC, "libc.so.6"))
                .elf("/usr/bin/tool", MadeElf.program(MadeElf.GLIBC, "libtool.so.1", "libc.so.6"))
                .elf("/usr/lib/x86_64-linux-gnu/libtool.so.1", MadeElf.library("libdeep.so", "libc.so.6"))
                .elf("/usr/lib/x86_64-linux-gnu/libdeep.so", MadeElf.library())
                .elf("/usr/bin/other", MadeElf.program(MadeElf.GLIBC));
    }

    @Test
    void librariesComeBreadthFirstBehindTheLoader() throws Exception {
        assertThat(image().reads("tool"))
                .containsExactly(
                        "/usr/bin/tool",
                        "/usr/lib64/ld-linux-x86-64.so.2",
                        "/usr/lib/x86_64-linux-gnu/libtool.so.1",
                        "/usr/lib/x86_64-linux-gnu/libc.so.6",
                        "/usr/lib/x86_64-linux-gnu/libdeep.so");
    }

    @Test
    void filesSayWhoLeadsToThem() throws Exception {
        StaticClosure closure = image().closure("tool");

        assertThat(closure.files()).extracting(ClosureFile::rank).containsExactly(0, 1, 2, 3, 4);
        assertThat(closure.files().getFirst().by()).isEmpty();
        assertThat(closure.files().getLast().by()).isEqualTo("/usr/lib/x86_64-linux-gnu/libtool.so.1");
        assertThat(closure.notes()).isEmpty();
    }

    @Test
    void shellTextIsFollowedToItsPrograms() throws Exception {
        MadeImage image = image().with("ROOT", "/usr");
        assertThat(image.reads("sh", "-c", "set -e; X=1 exec \"$ROOT/bin/tool\" --port \"${PORT:-80}\" 2>&1 # other"))
                .contains("/usr/bin/dash", "/usr/bin/tool", "/usr/lib/x86_64-linux-gnu/libdeep.so")
                .doesNotContain("/usr/bin/other");
        assertThat(image.confidences("sh", "-c", "if true; then other; fi; tool"))
                .hasEntrySatisfying("/usr/bin/other", c -> assertThat(c).isBetween(0.3, 0.6))
                .hasEntrySatisfying("/usr/bin/tool", c -> assertThat(c).isGreaterThan(0.9));
    }

    @Test
    void entryPointsPassTheirArgumentsOn() throws Exception {
        MadeImage image = image().file("/entry.sh", """
                #!/bin/sh
                set -e
                if [ "${1#-}" != "$1" ]; then
                  set -- tool "$@"
                fi
                cat <<EOF
                other
                EOF
                exec "$@"
                other
                """);
        assertThat(image.reads("/entry.sh", "--flag"))
                .contains("/entry.sh", "/usr/bin/dash", "/usr/bin/tool")
                .doesNotContain("/usr/bin/other");
        assertThat(image.reads("/entry.sh", "other")).contains("/usr/bin/other").doesNotContain("/usr/bin/tool");
    }

    @Test
    void aScriptWithTheNameOfAProgramStartsIt() throws Exception {
        MadeImage image = image().file("/usr/bin/browser", """
                #!/bin/sh
                if [ -n "$DEBUG" ]; then
                  exec /usr/bin/other /usr/lib/browser/browser
                else
                  exec /usr/lib/browser/browser "$@"
                fi
                """)
                .elf("/usr/lib/browser/browser", MadeElf.program("", "libfontconfig.so.1"))
                .elf("/usr/lib/x86_64-linux-gnu/libfontconfig.so.1", MadeElf.library())
                .file("/etc/fonts/conf.d/10-hinting.conf", "<fontconfig/>")
                .file("/usr/lib/browser/resources.pak", "resources");
        assertThat(image.confidences("browser"))
                .hasEntrySatisfying("/usr/bin/other", c -> assertThat(c).isLessThan(0.6))
                .hasEntrySatisfying(
                        "/usr/lib/browser/browser", c -> assertThat(c).isGreaterThan(0.8));
    }

    @Test
    void scriptsLeadToTheirInterpreter() throws Exception {
        MadeImage image =
                image().file("/app/run", "#!/usr/bin/env -S tool -x\n").file("/app/own", "#!/usr/bin/tool\n");
        assertThat(image.reads("./run")).contains("/app/run", "/usr/bin/env", "/usr/bin/tool");
        assertThat(image.reads("/app/own")).contains("/usr/bin/tool").doesNotContain("/usr/bin/env");
    }

    @Test
    void watchdogsStartTheProcessOfTheirVariable() throws Exception {
        MadeImage image = image().elf("/usr/bin/fwatchdog", MadeElf.program("")).with("fprocess", "env A=1 tool -v");
        assertThat(image.reads("fwatchdog")).startsWith("/usr/bin/fwatchdog").contains("/usr/bin/env", "/usr/bin/tool");
    }

    @Test
    void librariesAreFoundByPathsInTheFile() throws Exception {
        MadeImage image = image().elf(
                        "/app/bin/p", MadeElf.program(MadeElf.GLIBC, "liba.so").withRpath("$ORIGIN/../lib"))
                .elf("/app/lib/liba.so", MadeElf.library("libb.so"))
                .elf("/app/lib/libb.so", MadeElf.library("libc.so.6", "libd.so"))
                .elf("/usr/lib/libb.so", MadeElf.library())
                .elf("/app/q", MadeElf.program(MadeElf.GLIBC, "liba.so").withRunpath("${ORIGIN}/lib"));
        assertThat(image.reads("/app/bin/p")).contains("/app/lib/liba.so", "/app/lib/libb.so");
        // A run path, unlike DT_RPATH, is not for the libraries of libraries.
        assertThat(image.reads("/app/q")).contains("/app/lib/liba.so", "/usr/lib/libb.so");
    }

    @Test
    void configuredDirectoriesCome() throws Exception {
        MadeImage image = image().file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\ninclude /etc/ld.so.conf\n")
                .file("/etc/ld.so.conf.d/own.conf", "# own\n/opt/own/lib\n")
                .elf("/opt/own/lib/libown.so", MadeElf.library())
                .elf("/app/p", MadeElf.program(MadeElf.GLIBC, "libown.so"));
        assertThat(image.reads("/app/p")).contains("/opt/own/lib/libown.so");
    }

    @Test
    void muslHasItsOwnDirectories() throws Exception {
        MadeImage image = new MadeImage()
                .elf("/lib/ld-musl-x86_64.so.1", MadeElf.library())
                .link("/lib/libc.musl-x86_64.so.1", "ld-musl-x86_64.so.1")
                .elf("/bin/busybox", MadeElf.program(MadeElf.MUSL, "libc.musl-x86_64.so.1"))
                .link("/bin/sh", "busybox")
                .file("/etc/ld-musl-x86_64.path", "/opt/lib\n/lib\n")
                .elf("/opt/lib/libx.so", MadeElf.library())
                .elf("/bin/x", MadeElf.program(MadeElf.MUSL, "libx.so"));
        assertThat(image.reads("sh", "-c", "x"))
                .containsExactlyInAnyOrder(
                        "/bin/busybox",
                        "/lib/ld-musl-x86_64.so.1",
                        "/etc/ld-musl-x86_64.path",
                        "/bin/x",
                        "/opt/lib/libx.so");
    }

    @Test
    void whatIsMissingIsNoted() throws Exception {
        assertThat(image().closure("nothing").notes())
                .singleElement()
                .asString()
                .contains("nothing");
        assertThat(new MadeImage().closure().notes()).singleElement().asString().contains("no command");
        assertThat(new MadeImage()
                        .elf("/p", MadeElf.program("/lib/ld.so"))
                        .closure("/p")
                        .notes())
                .singleElement()
                .asString()
                .contains("/lib/ld.so");
    }

    @Test
    void limitsEndTheAnalysis() throws Exception {
        ClosureLimits two = new ClosureLimits(2, 1 << 20, 1 << 20, 4, 0.1);
        StaticClosure few = image().limited(two).closure("tool");
        assertThat(few.files()).hasSize(2);
        assertThat(few.notes()).singleElement().asString().contains("more than 2 files");

        ClosureLimits bytes = new ClosureLimits(100, 300, 1 << 20, 4, 0.1);
        assertThat(image().limited(bytes).closure("tool").notes()).anyMatch(note -> note.contains("300 bytes"));
    }

    @Test
    void scriptsThatStartThemselvesEnd() throws Exception {
        MadeImage image = image().file("/app/loop", "#!/bin/sh\n./loop a\n./loop \"$@\" b\n");
        assertThat(image.reads("./loop")).contains("/app/loop");
    }
}
