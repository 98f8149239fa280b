package io.faasimage.registry.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.page.Browser;
import io.faasimage.testing.Wait;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that come from the page: what is wrong with one is said in words, and leaves nothing behind. */
class UploadTest extends ServiceTest {
    @TempDir
    static Path runtimes;

    private static Browser browser;
    private static String token = "";

    @BeforeAll
    static void start() throws Exception {
        // Nothing listens on port 1.
        Files.writeString(runtimes.resolve("python.yaml"), """
                name: python
                default: "3.0"
                versions: {"3.0": {image: "127.0.0.1:1/python:3"}}
                """);
        service = TestService.start(
                data,
                "--faasimage.build.registry=127.0.0.1:1/functions",
                "--faasimage.build.runtimes=" + runtimes,
                "--faasimage.build.max-archive=100KB");
        browser = new Browser(service);
        browser.signIn(TestService.TOKEN);
        token = browser.formToken("/ui/register");
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    private static String body(String name, String archive) {
        return part("name\"", name) + part("runtime\"", "python3.0") + part("archive\"; filename=\"a.zip\"", archive)
                + "--b--\r\n";
    }

    private static String part(String disposition, String content) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + disposition + "\r\n\r\n" + content + "\r\n";
    }

    private static HttpResponse<String> upload(String body) throws Exception {
        return browser.post("/ui/archive", "multipart/form-data; boundary=b", body, "X-Form-Token", token);
    }

    private static String zip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setMethod(ZipOutputStream.STORED);
            ZipEntry entry = new ZipEntry("handler.py");
            entry.setSize(0);
            entry.setCrc(0);
            // Bytes of the time are within ASCII, so that the archive survives as text.
            entry.setTimeLocal(java.time.LocalDateTime.of(2001, 1, 1, 0, 0));
            zip.putNextEntry(entry);
        }
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        assertThat(text).matches("\\p{ASCII}*");
        return text;
    }

    @Test
    void anArchiveIsBuiltAndThePageOfTheBuildSaysHowFarItIs() throws Exception {
        HttpResponse<String> answer = upload(body("uploaded", zip()));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        BuildInfo build = Json.mapper().readValue(answer.body(), BuildInfo.class);
        assertThat(browser.get("/ui/builds/" + build.id()).body()).contains("Build of uploaded", "python3.0");
        assertThat(browser.get("/ui/jobs").body()).contains("/ui/builds/" + build.id());
    }

    @Test
    void whatIsWrongIsSaidInWords() throws Exception {
        HttpResponse<String> large = upload(body("large", "x".repeat(200_000)));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains("the archive is too large");
        HttpResponse<String> text = upload(body("text", "no archive"));
        assertThat(text.statusCode()).isEqualTo(400);
        assertThat(text.body()).contains("send a zip or a tar");
        HttpResponse<String> cut = upload(body("cut", zip().substring(0, 60)));
        assertThat(cut.statusCode()).isEqualTo(400);
        HttpResponse<String> broken = upload("--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nx");
        assertThat(broken.statusCode()).isEqualTo(400);
        HttpResponse<String> named = upload(body("../x", zip()));
        assertThat(named.body()).contains("not a function name");
        assertThat(service.client().functions()).isEmpty();
    }

    @Test
    void whoMayNotUploadIsRefusedBeforeTheBodyIsRead() throws Exception {
        HttpResponse<String> forged = browser.post(
                "/ui/archive", "multipart/form-data; boundary=b", body("forged", zip()), "X-Form-Token", "x");
        assertThat(forged.statusCode()).isEqualTo(403);
        try (Browser stranger = new Browser(service)) {
            assertThat(stranger.post("/ui/archive", "multipart/form-data; boundary=b", body("x", zip()))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void anUploadThatIsCutOffLeavesNothing() throws Exception {
        String cookie;
        try (Browser other = new Browser(service)) {
            cookie = other.signIn(TestService.TOKEN)
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow()
                    .split(";")[0];
        }
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.base().getPort())) {
            String form = body("cutoff", "x".repeat(50_000));
            String head = "POST /ui/archive HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + cookie + "\r\nX-Form-Token: "
                    + token(cookie) + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                    + form.length() + "\r\n\r\n";
            socket.getOutputStream()
                    .write((head + form.substring(0, form.length() / 2)).getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .satisfiesAnyOf(
                            a -> assertThat(a).isEmpty(), a -> assertThat(a).startsWith("HTTP/1.1 400"));
        }
        assertThat(service.client().builds().all())
                .noneMatch(build -> build.function().equals("cutoff"));
        assertThat(browser.get("/ui/jobs").statusCode()).isEqualTo(200);
    }

    /** The archive, which is larger, is in a file when the secret would be, too. */
    @Test
    void aSecretIsOnNoDiskWhileTheRestOfItsRequestIsAwaited() throws Exception {
        String secret = "correct-horse-battery";
        String form = part("metadata\"", "{\"name\": \"waits\", \"runtime\": \"python3.0\"}")
                + part("secret\"; filename=\"npmrc\"", secret)
                + part("archive\"; filename=\"a.zip\"", "x".repeat(90_000));
        String head = "POST /v1/functions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + TestService.TOKEN
                + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " + (form.length() + 10)
                + "\r\n\r\n";
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.base().getPort())) {
            socket.getOutputStream().write((head + form).getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            List<Path> spooled = Wait.value(
                    () -> {
                        try (Stream<Path> files = Files.walk(data.resolve("work"))) {
                            return files.filter(Files::isRegularFile).toList();
                        }
                    },
                    files -> !files.isEmpty());
            assertThat(spooled).as("the archive").hasSize(1);
            assertThat(Files.readString(spooled.getFirst(), StandardCharsets.ISO_8859_1))
                    .doesNotContain(secret);
        }
    }

    private static String token(String cookie) throws Exception {
        try (Browser other = new Browser(service)) {
            String page = other.get("/ui/register", "Cookie", cookie).body();
            return page.replaceAll("(?s).*data-token=\"([^\"]+)\".*", "$1");
        }
    }
}
