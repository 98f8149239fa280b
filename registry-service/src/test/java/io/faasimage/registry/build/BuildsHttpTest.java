package io.faasimage.registry.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Archives of code over HTTP, up to the point where an image registry would be needed. */
class BuildsHttpTest extends ServiceTest {
    @TempDir
    static Path work;

    @BeforeAll
    static void start() throws IOException {
        // Nothing listens on port 1.
        Path runtimes = Files.createDirectory(work.resolve("runtimes"));
        Files.writeString(runtimes.resolve("python.yaml"), """
                name: python
                default: "3.0"
                versions: {"3.0": {image: "127.0.0.1:1/python:3"}}
                """);
        service = TestService.start(
                data,
                "--faasimage.build.registry=127.0.0.1:1/functions",
                "--faasimage.build.runtimes=" + runtimes,
                "--faasimage.build.max-archive=100KB",
                "--faasimage.build.max-unpacked=1MB");
    }

    private static Path zip(String name, int bytes) throws IOException {
        Path file = Files.createTempFile(work, "archive", ".zip");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(new byte[bytes]);
        }
        return file;
    }

    private static BuildRequest request(String name, String runtime) {
        return new BuildRequest(name, runtime, null, null, null, null, null, null);
    }

    private static void nothingIsLeft() {
        assertThat(data.resolve("builds/code")).isEmptyDirectory();
        assertThat(data.resolve("builds/work")).isEmptyDirectory();
    }

    @Test
    void languagesHaveTemplates() throws IOException {
        assertThat(service.client().builds().languages())
                .extracting(LanguageInfo::name)
                .contains("node", "php", "python", "ruby");
    }

    @Test
    void aBuildThatFailsSaysWhyAndRegistersNothing() throws IOException {
        BuildInfo build = service.client().builds().submit(request("fails", "python"), zip("handler.py", 10));
        assertThat(build.image()).isEqualTo("127.0.0.1:1/functions/fails:latest");
        BuildInfo ended = ended(build.id());
        assertThat(ended.state()).isEqualTo(JobInfo.State.FAILED);
        assertThat(ended.error()).contains("127.0.0.1:1/python:3");
        assertThat(service.client().functions()).isEmpty();
        assertThat(service.client().builds().all()).extracting(BuildInfo::id).contains(build.id());
        assertThat(service.client().builds().output(build.id(), 0)).isEmpty();
    }

    @Test
    void secretsAreBoundedAndNeitherStoredNorShown() throws IOException {
        byte[] password = "correct-horse-battery".getBytes(StandardCharsets.UTF_8);
        Path archive = zip("handler.py", 10);
        BuildInfo build =
                service.client().builds().submit(request("secretive", "python"), archive, Map.of("npmrc", password));
        assertThat(ended(build.id()).error()).doesNotContain("correct-horse");
        String audit = service.part(JdbcClient.class)
                .sql("SELECT state_after FROM audit_log WHERE object = 'secretive'")
                .query(String.class)
                .single();
        assertThat(audit).contains("\"secrets\":\"npmrc\"");
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("correct-horse");
            }
        }
        byte[] large = new byte[(64 << 10) + 1];
        assertThatThrownBy(() -> service.client()
                        .builds()
                        .submit(request("secretive", "python"), archive, Map.of("npmrc", large)))
                .hasMessageContaining(" answered 400: a secret has more than 65536 bytes");
        assertThatThrownBy(() -> service.client()
                        .builds()
                        .submit(request("secretive", "python"), archive, Map.of("..", password)))
                .hasMessageContaining(" answered 400: the id of a secret")
                .hasMessageNotContaining("correct-horse");
    }

    /** A build that has ended and whose files are gone. */
    private static BuildInfo ended(String id) throws IOException {
        awaitRemoval(id);
        return service.client().builds().get(id);
    }

    /** The service removes the archive of a build, and the builder what it has unpacked, in no fixed order. */
    private static void awaitRemoval(String id) {
        Wait.until("the files of the build to go", () -> !hasFiles(id));
    }

    private static boolean hasFiles(String id) {
        Path builds = data.resolve("builds");
        return Files.exists(builds.resolve("code").resolve(id)) || isUnpacked(builds.resolve("source"), id);
    }

    private static boolean isUnpacked(Path source, String id) {
        try (Stream<Path> unpacked = Files.list(source)) {
            return unpacked.anyMatch(one -> one.getFileName().toString().startsWith(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFailureThatTheDatabaseDoesNotTakeAtOnceIsToldLater() throws IOException {
        JdbcClient database = service.part(JdbcClient.class);
        database.sql("ALTER TABLE builds ADD CONSTRAINT full_disk CHECK (function <> 'untold' OR state <> 'FAILED')")
                .update();
        BuildInfo build = service.client().builds().submit(request("untold", "python"), zip("handler.py", 10));
        awaitRemoval(build.id());
        assertThat(service.client().builds().get(build.id()).state()).isEqualTo(JobInfo.State.RUNNING);
        database.sql("ALTER TABLE builds DROP CONSTRAINT full_disk").update();
        assertThat(ended(build.id()).error()).contains("127.0.0.1:1/python:3");
        BuildInfo again = service.client().builds().submit(request("untold", "python"), zip("handler.py", 10));
        assertThat(ended(again.id()).state()).isEqualTo(JobInfo.State.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "hello,cobol,handler.py,10,400,unknown runtime 'cobol'",
        "../x,python,handler.py,10,400,not a function name",
        "a..b,python,handler.py,10,400,cannot be an image's name",
        "hello,python,../handler.py,10,400,leads out of the function's directory",
        "hello,python,handler.py,2000000,413,more than 1048576 bytes unpacked"
    })
    void aBadRequestIsRefusedAtOnce(String name, String runtime, String file, int bytes, int status, String reason)
            throws IOException {
        Path archive = zip(file, bytes);
        assertThatThrownBy(() -> service.client().builds().submit(request(name, runtime), archive))
                .hasMessageContaining(" answered " + status + ": ")
                .hasMessageContaining(reason);
    }

    @Test
    void badMetadataAndArchivesAreRefused() throws IOException {
        Path archive = zip("handler.py", 10);
        BuildRequest variable = new BuildRequest("hello", "python", null, Map.of("A\nB", "c"), null, null, null, null);
        assertThatThrownBy(() -> service.client().builds().submit(variable, archive))
                .hasMessageContaining("is not a name of an environment variable");
        BuildRequest tag = new BuildRequest("hello", "python", null, null, "a/../b", null, null, null);
        assertThatThrownBy(() -> service.client().builds().submit(tag, archive)).hasMessageContaining("not a tag");
        Path large = Files.write(work.resolve("large"), new byte[200_000]);
        assertThatThrownBy(() -> service.client().builds().submit(request("hello", "python"), large))
                .hasMessageContaining(" answered 413: the archive is too large");
        // More than Tomcat reads of a refused body: the refusal has to come before it is sent.
        Path huge = Files.write(work.resolve("huge"), new byte[20_000_000]);
        assertThatThrownBy(() -> service.client().builds().submit(request("hello", "python"), huge))
                .hasMessageContaining(" answered 413: ");
        Path text = Files.writeString(work.resolve("text"), "no archive");
        assertThatThrownBy(() -> service.client().builds().submit(request("hello", "python"), text))
                .hasMessageContaining("send a zip or a tar");
        nothingIsLeft();
    }

    @Test
    void aBodyThatIsNoMultipartIsRefused() throws Exception {
        for (String body :
                new String[] {"", "--b\r\n", "--b\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{"}) {
            HttpResponse<byte[]> answer = service.send(service.request("/v1/functions")
                    .header("Content-Type", "multipart/form-data; boundary=b")
                    .POST(BodyPublishers.ofString(body)));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("urn:faasimage:problem:bad-request");
        }
    }
}
