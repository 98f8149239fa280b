package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People and programs of a real OpenID Connect provider, with a real browser. */
final class SignInIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path SERVICE =
            Path.of("../../docker/bin/faasimage-registry").toAbsolutePath().normalize();
    private static final Path TOOLS = Path.of("target/provider").toAbsolutePath();
    private static final String AUDIENCE = "https://faasimage.test/";

    @TempDir
    private Path work;

    @Test
    void peopleSignInAtTheProviderAndProgramsPresentItsTokens() throws IOException, InterruptedException {
        Shell.Result built = Shell.run("provider/build", TOOLS.toString());
        Assumptions.assumeTrue(
                built.exit() == 0,
                () -> "oidc-provider could not be installed: "
                        + Arrays.asList(built.err().strip().split("\n")).getLast());
        String base = "http://127.0.0.1:" + Ports.free();
        int provider = Ports.free();
        // The service starts without its provider.
        try (Daemon service = startService(base, provider);
                Chromium browser = Chromium.start(base, work)) {
            browser.open("/ui/functions?q=x");
            browser.find("a[href^='/ui/sign-in/provider']").click();
            browser.await("or sign in with a token");
            try (Daemon running = startProvider(base, provider)) {
                assertProgramsPresentTokens(base, provider);
                // The failure is remembered for five seconds.
                Wait.until(LIMIT, "the way to the provider", () -> {
                    browser.open("/ui/sign-in/provider?next=%2Fui%2Ffunctions%3Fq%3Dx");
                    return !browser.all("input[name=login]").isEmpty();
                });
                assertPeopleSignIn(browser);
                assertThat(running.log()).contains("ready");
            }
            browser.open("/ui/nodes");
            assertThat(browser.address()).as("without the provider").isEqualTo("/ui/nodes");
            assertThat(browser.text()).contains("Sign out");
            browser.find("form[action='/ui/sign-out'] button").click();
            browser.await("OpenID Connect");
            browser.open("/ui/nodes");
            assertThat(browser.address()).startsWith("/ui/sign-in");
            assertRecords(base);
            assertThat(service.log()).doesNotContain("eyJ");
        }
    }

    private Daemon startService(String base, int provider) throws IOException, InterruptedException {
        Path secret = Files.writeString(work.resolve("secret"), "secret of the dashboard\n");
        return Daemon.start(
                        "registry-service",
                        work.resolve("service.log"),
                        Map.of(),
                        List.of(
                                SERVICE.toString(),
                                "--faasimage.data=" + work.resolve("data"),
                                "--server.port=" + URI.create(base).getPort(),
                                "--faasimage.oidc.issuer=http://localhost:" + provider,
                                "--faasimage.oidc.client-id=dashboard",
                                "--faasimage.oidc.client-secret=" + secret,
                                "--faasimage.oidc.audience=" + AUDIENCE,
                                "--faasimage.oidc.scopes-by-group[deployers]=view,deploy"))
                .await(LIMIT, () -> {
                    try (ServiceClient client = client(base, token())) {
                        client.functions();
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    private Daemon startProvider(String base, int port) throws IOException, InterruptedException {
        return Daemon.start(
                        "oidc-provider",
                        work.resolve("provider.log"),
                        Map.of(),
                        List.of(
                                "node",
                                TOOLS.resolve("provider.mjs").toString(),
                                Integer.toString(port),
                                base + "/ui/sign-in/answer",
                                AUDIENCE))
                .await(LIMIT, () -> Ports.listens(port));
    }

    private String token() throws IOException {
        return Files.readString(work.resolve("data/token")).strip();
    }

    private static ServiceClient client(String base, String token) {
        return new ServiceClient(ServiceConfig.of(URI.create(base), Optional.of(token)));
    }

    private static void assertProgramsPresentTokens(String base, int provider)
            throws IOException, InterruptedException {
        String pair = Base64.getEncoder()
                .encodeToString("pipeline:secret+of+the+pipeline".getBytes(StandardCharsets.US_ASCII));
        String token;
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + provider + "/token"))
                            .header("Authorization", "Basic " + pair)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            token = Json.mapper().readTree(answer.body()).path("access_token").asString();
        }
        try (ServiceClient client = client(base, token)) {
            // Also its audit records have who it is.
            Wait.until(LIMIT, "the keys of the provider", () -> {
                try {
                    return client.functions().isEmpty();
                } catch (IOException e) {
                    return false;
                }
            });
            assertThatThrownBy(() -> client.tokens().all())
                    .hasMessageContaining("user pipeline has")
                    .hasMessageContaining("deploy, view");
        }
        try (ServiceClient client = client(base, token.substring(0, token.length() - 8) + "AAAAAAAA")) {
            assertThatThrownBy(client::functions).hasMessageContaining("401");
        }
    }

    private static void signInAs(Chromium browser, String name) {
        browser.fill("input[name=login]", name);
        browser.fill("input[name=password]", "any");
        browser.find("button[type=submit]").click();
        browser.await("Continue");
        browser.find("button[type=submit]").click();
    }

    private static void assertPeopleSignIn(Chromium browser) {
        signInAs(browser, "otto");
        browser.await("otto is in no group");
        browser.open("/ui/sign-in/answer?code=x&state=x");
        assertThat(browser.text()).contains("not begun in this browser");
        // The provider still knows otto.
        browser.forgetCookies();
        browser.open("/ui/sign-in/provider?next=%2Fui%2Ffunctions%3Fq%3Dx");
        signInAs(browser, "anna");
        browser.await("Functions");
        assertThat(browser.address()).isEqualTo("/ui/functions?q=x");
        browser.open("/ui/register");
        assertThat(browser.address()).isEqualTo("/ui/register");
        browser.open("/ui/tokens");
        assertThat(browser.text()).contains("user anna has deploy, view");
    }

    private void assertRecords(String base) throws IOException {
        try (ServiceClient client = client(base, token())) {
            List<AuditRecord> records = client.audit().list(Map.of()).items();
            assertThat(records)
                    .filteredOn(record -> record.actor().equals("person anna"))
                    .extracting(AuditRecord::action)
                    .contains("session.begin", "session.end");
            assertThat(records)
                    .filteredOn(record -> record.actor().equals("person otto"))
                    .extracting(AuditRecord::action)
                    .containsExactly("refused.sign-in");
            assertThat(records.toString()).doesNotContain("eyJ");
        }
    }
}
