package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds that are watched at another service than the one that builds. Needs root; a script is in the place of runc.
 */
@Timeout(120)
class BuildReplicasIT {
    private static final Duration LIVE = Duration.ofSeconds(5);
    private static final int MUCH = 300_000;

    @RegisterExtension
    static final OnPostgres DATABASE = new OnPostgres();

    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path directory;

    private Path goOn;

    @BeforeEach
    void makeRuntime() throws IOException {
        goOn = directory.resolve("go-on");
        Path runc = Files.writeString(directory.resolve("runc"), """
                #!/bin/sh
                [ "$3" = run ] || exit 0
                echo "Collecting flask"
                while [ ! -e %s ]; do sleep 0.1; done
                head -c %d /dev/zero | tr '\\0' x
                echo
                printf 'no such package\\0\\n'
                exit 1
                """.formatted(goOn, MUCH));
        Files.setPosixFilePermissions(runc, PosixFilePermissions.fromString("rwx------"));
        LayoutImage image = LayoutImage.write(directory.resolve("image"), Map.of("bin/sh", new byte[10]));
        Path runtimes = Files.createDirectory(directory.resolve("runtimes"));
        Files.writeString(runtimes.resolve("python.yaml"), """
                name: python
                default: "3.0"
                versions: {"3.0": {image: "oci:%s"}}
                """.formatted(image.directory()));
    }

    private TestService start(String name, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.addAll(List.of(
                "--faasimage.build.registry=127.0.0.1:1/functions",
                "--faasimage.build.runtimes=" + directory.resolve("runtimes"),
                "--faasimage.build.runc=" + directory.resolve("runc")));
        DATABASE.settings(directory).forEach((key, value) -> options.add("--" + key + "=" + value));
        STORE.settings(directory).forEach((key, value) -> options.add("--" + key + "=" + value));
        return TestService.start(directory.resolve(name), options.toArray(String[]::new));
    }

    private Path archive() throws IOException {
        Path file = directory.resolve("archive.zip");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : List.of("handler.py", "requirements.txt")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write("flask".getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private static String output(TestService service, BuildInfo build) throws IOException {
        StringBuilder all = new StringBuilder();
        String more;
        do {
            more = new String(service.client().builds().output(build.id(), all.length()), StandardCharsets.UTF_8);
            all.append(more);
        } while (!more.isEmpty());
        return all.toString();
    }

    private static BuildInfo ended(TestService service, BuildInfo build) throws IOException {
        return Wait.value(() -> service.client().builds().get(build.id()), now -> now.finished() != null);
    }

    @Test
    void whatABuildPrintsIsReadAtAnyServiceMeanwhileAndAfterItsOwnIsGone() throws IOException {
        try (TestService other = start("other")) {
            BuildInfo build;
            try (TestService builder = start("builder")) {
                build = builder.client()
                        .builds()
                        .submit(new BuildRequest("hello", "python", null, null, null, null, null, null), archive());
                Wait.until(LIVE, "the output", () -> !output(other, build).isEmpty());
                assertThat(output(other, build)).isEqualTo("Collecting flask\n");
                assertThat(other.client().builds().get(build.id()).finished()).isNull();

                Files.createFile(goOn);
                assertThat(ended(other, build).error()).contains("no such package");
                assertComplete(output(other, build));
                assertComplete(output(builder, build));
            }
            assertComplete(output(other, build));
        }
    }

    private static void assertComplete(String output) {
        assertThat(output).isEqualTo("Collecting flask\n" + "x".repeat(MUCH) + "\nno such package\0\n");
    }

    @Test
    void whatABuildPrintedBeforeItsServiceStoppedIsThereAtOthers() throws IOException {
        try (TestService other = start("other")) {
            BuildInfo build;
            try (TestService builder = start("builder")) {
                build = builder.client()
                        .builds()
                        .submit(new BuildRequest("hello", "python", null, null, null, null, null, null), archive());
                Wait.until("the output", () -> !output(builder, build).isEmpty());
            }
            assertThat(ended(other, build).error()).contains("the service stopped");
            assertThat(output(other, build)).isEqualTo("Collecting flask\n");
        }
    }

    @Test
    void aBuilderByItselfTakesTheBuildsOfAllServices() throws Exception {
        String none = "--faasimage.build.embedded=false";
        try (TestService one = start("one", none);
                TestService other = start("other", none)) {
            Path token = Files.writeString(
                    directory.resolve("token"),
                    one.client()
                            .tokens()
                            .create(new TokenRequest("builder", List.of(Scope.BUILDER), null, null, false))
                            .token());
            Process builder = startBuilder(one.base() + "," + other.base(), token);
            try {
                BuildRequest request = new BuildRequest("hello", "python", null, null, null, null, null, null);
                BuildInfo first = one.client().builds().submit(request, archive());
                Files.createFile(goOn);
                assertThat(ended(one, first).error()).contains("no such package");
                assertThat(ended(other, other.client().builds().submit(request, archive()))
                                .error())
                        .contains("no such package");
                assertComplete(output(other, first));
            } finally {
                builder.destroy();
            }
            assertThat(builder.waitFor()).as("the JVM's status after SIGTERM").isEqualTo(128 + 15);
        }
    }

    private Process startBuilder(String services, Path token) throws IOException {
        ProcessBuilder command = new ProcessBuilder(
                        Path.of("../docker/bin/faasimage-builder").toRealPath().toString(),
                        "--registry",
                        services,
                        "--token-file",
                        token.toString(),
                        "--data",
                        directory.resolve("builder").toString(),
                        "--runc",
                        directory.resolve("runc").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("builder.log").toFile());
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return command.start();
    }
}
