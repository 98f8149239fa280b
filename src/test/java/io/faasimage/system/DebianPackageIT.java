package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The node's Debian package: built, looked at by lintian, installed, run, upgraded and purged in a root file system of
 * its own.
 */
final class DebianPackageIT {
    @TempDir
    private Path dir;

    private static Shell.Result run(String... command) throws IOException, InterruptedException {
        return Shell.run(Map.of("JAVA_HOME", System.getProperty("java.home")), List.of(command));
    }

    /** The package; with the compression of a release it would take four times as long. */
    private Path build(String name) throws IOException, InterruptedException {
        Shell.Result built = Shell.run(
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "DPKG_DEB_COMPRESSOR_TYPE",
                        "gzip",
                        "DPKG_DEB_COMPRESSOR_LEVEL",
                        "1"),
                List.of("../../docker/package/build-deb", dir.resolve(name).toString()));
        return Path.of(built.ok().strip());
    }

    private static void needs(String program) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Shell.run("sh", "-c", "command -v " + program).exit() == 0,
                program + " is not installed; apt-get install " + program);
    }

    @Test
    void installsRunsUpgradesAndPurges() throws IOException, InterruptedException {
        needs("mmdebstrap");
        needs("lintian");
        Path deb = build("1");

        Shell.Result lintian = run("lintian", "--fail-on", "error,warning", deb.toString());
        assertThat(lintian.out()).isBlank();
        assertThat(lintian.exit()).isZero();

        assertThat(run("packages/debian", deb.toString(), dir.resolve("try").toString())
                        .ok())
                .contains("\nok\n");
    }

    @Test
    @Tag("release")
    void sameSourcesGiveTheSameBytes() throws IOException, InterruptedException {
        assertThat(Files.mismatch(build("1"), build("2"))).isEqualTo(-1);
    }
}
