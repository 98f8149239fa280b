package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A builder that is killed in the middle of builds. Needs root; a script is in the place of runc. */
@Timeout(180)
class BuilderDeathIT {
    private static final int ATTEMPTS = 3;

    @TempDir
    Path directory;

    private TestService start() throws IOException {
        Path runc = Files.writeString(directory.resolve("runc"), """
                #!/bin/sh
                [ "$3" = run ] || exit 0
                echo "Collecting flask"
                while [ ! -e %s ]; do sleep 0.1; done
                echo "no such package"
                exit 1
                """.formatted(directory.resolve("go-on")));
        Files.setPosixFilePermissions(runc, PosixFilePermissions.fromString("rwx------"));
        LayoutImage image = LayoutImage.write(directory.resolve("image"), Map.of("bin/sh", new byte[10]));
        Path runtimes = Files.createDirectory(directory.resolve("runtimes"));
        Files.writeString(runtimes.resolve("python.yaml"), """
                name: python
                default: "3.0"
                versions: {"3.0": {image: "oci:%s"}}
                """.formatted(image.directory()));
        return TestService.start(
                directory.resolve("data"),
                "--faasimage.build.registry=127.0.0.1:1/functions",
                "--faasimage.build.runtimes=" + runtimes,
                "--faasimage.build.runc=" + runc);
    }

    private BuildInfo submit(TestService service, String name) throws IOException {
        Path file = directory.resolve("archive.zip");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : List.of("handler.py", "requirements.txt")) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write("flask".getBytes(StandardCharsets.UTF_8));
            }
        }
        return service.client()
                .builds()
                .submit(new BuildRequest(name, "python", null, null, null, null, null, null), file);
    }

    private ProcessHandle builder() {
        return builders().findFirst().orElseThrow();
    }

    /** By the whole command line, of which a handle has the beginning. */
    private Stream<ProcessHandle> builders() {
        return ProcessHandle.current().children().filter(child -> {
            try {
                return Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"))
                        .contains("\0" + directory.resolve("data/builds") + "\0");
            } catch (IOException e) {
                // It has ended meanwhile.
                return false;
            }
        });
    }

    private static void awaitInstallation(TestService service, BuildInfo build, int number) throws IOException {
        Wait.value(() -> count(service, build), count -> count >= number);
    }

    private static int count(TestService service, BuildInfo build) throws IOException {
        String output = new String(service.client().builds().output(build.id(), 0), StandardCharsets.UTF_8);
        return output.split("Collecting flask", -1).length - 1;
    }

    private static BuildInfo ended(TestService service, BuildInfo build) throws IOException {
        return Wait.value(() -> service.client().builds().get(build.id()), now -> now.finished() != null);
    }

    @Test
    void itsBuildBeginsAgainAndFailsAfterThreeAttemptsAndTheNextBuilderBuilds() throws IOException {
        try (TestService service = start()) {
            BuildInfo build = submit(service, "killed");
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                awaitInstallation(service, build, attempt);
                assertThat(service.client().builds().get(build.id()).finished()).isNull();
                builder().destroyForcibly();
            }
            BuildInfo failed = ended(service, build);
            assertThat(failed.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(failed.error()).contains("the builder died, in each of 3 attempts");
            assertThat(new String(service.client().builds().output(build.id(), 0), StandardCharsets.UTF_8))
                    .contains("the builder ended before the build did; it begins again");

            Files.createFile(directory.resolve("go-on"));
            assertThat(ended(service, submit(service, "next")).error()).contains("no such package");
        }
        assertThat(builders()).as("the builder ends with its service").isEmpty();
    }
}
