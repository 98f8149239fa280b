package io.faasimage.registry.access.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.session.SignInLimit;
import io.faasimage.registry.platform.config.AccessToken;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of clients that guess tokens, and of clients that may read without one. */
class WrongTokensTest {
    @TempDir
    Path data;

    @Test
    void afterSomeWrongTokensAlsoARightOneThatIsShortHasToWait() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.pages.attempts=3");
                Browser browser = new Browser(service)) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = browser.signIn("guess " + i);
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.body()).contains("The token is wrong").doesNotContain("guess");
            }
            HttpResponse<String> answer = browser.signIn(TestService.TOKEN);
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 31L);
            assertThat(answer.body()).contains("Too many wrong tokens");
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void whenTheOperatorWishesEverybodyLooksButNobodyChanges() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.pages.anonymous=true");
                Browser browser = new Browser(service)) {
            assertThat(browser.get("/ui").body()).contains("anonymous viewer", "Sign in");
            assertThat(browser.get("/ui/register").body()).doesNotContain("action=\"/ui/register\"");
            assertThat(browser.post("/ui/functions/x/delete", java.util.Map.of("form-token", ""))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(browser.get("/v1/functions").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void theApiLimitsGuessesButNotOfAnAddressWithClients() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.pages.attempts=3")) {
            for (int i = 0; i < 10; i++) {
                assertThat(service.send(bearer(service, "an-old-token")).statusCode())
                        .isEqualTo(401);
                assertThat(service.send(HttpRequest.newBuilder(service.base().resolve("/v1/functions")))
                                .statusCode())
                        .isEqualTo(401);
            }
            assertThat(service.send(bearer(service, "guess 1")).statusCode()).isEqualTo(401);
            assertThat(service.send(bearer(service, "guess 2")).statusCode()).isEqualTo(401);
            HttpResponse<byte[]> refused = service.send(bearer(service, TestService.TOKEN));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 31L);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("wrong tokens", "try again in");
            service.part(SignInLimit.class).prove("127.0.0.1", Identity.ADMINISTRATOR);
            assertThat(service.send(bearer(service, TestService.TOKEN)).statusCode())
                    .isEqualTo(200);
            assertThat(service.send(bearer(service, "guess 3")).statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aViewerCannotGuessTheOtherToken() throws Exception {
        String viewer = "viewer-token-of-a-test";
        try (TestService service = TestService.start(
                        data, "--faasimage.pages.attempts=3", "--faasimage.pages.viewer-token=" + viewer);
                Browser browser = new Browser(service)) {
            assertThat(service.send(bearer(service, viewer)).statusCode()).isEqualTo(200);
            service.send(bearer(service, "guess 1"));
            service.send(bearer(service, "guess 2"));
            assertThat(browser.signIn(viewer).statusCode()).isEqualTo(303);
            assertThat(service.send(bearer(service, "guess 3")).statusCode()).isEqualTo(401);
            assertThat(service.send(bearer(service, TestService.TOKEN)).statusCode())
                    .isEqualTo(429);
            assertThat(service.send(bearer(service, viewer)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void guessesStopNeitherAFleetBehindTheSameAddressNorItsAdministrator() throws Exception {
        String administrator = "0123456789abcdef".repeat(3);
        try (TestService service =
                        TestService.start(data, "--faasimage.pages.attempts=3", "--faasimage.token=" + administrator);
                ServiceClient client = new ServiceClient(ServiceConfig.of(service.base(), Optional.of(administrator)));
                Browser browser = new Browser(service)) {
            List<String> fleet = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                fleet.add(client.tokens()
                        .create(new TokenRequest("node-" + i, List.of(Scope.NODE), null, null, false))
                        .token());
            }
            for (int i = 0; i < 4; i++) {
                service.send(bearer(service, "guess " + i));
            }
            assertThat(service.send(bearer(service, "guess 4")).statusCode()).isEqualTo(429);
            for (String node : fleet) {
                // Not yet known at this address, and known.
                assertThat(service.send(bearer(service, "/v1/catalogue", node)).statusCode())
                        .isEqualTo(200);
            }
            assertThat(service.send(bearer(service, fleet.getFirst().replaceAll(".$", "x")))
                            .statusCode())
                    .isEqualTo(429);
            assertThat(service.send(bearer(service, administrator)).statusCode())
                    .isEqualTo(200);
            assertThat(browser.signIn(administrator).statusCode()).isEqualTo(303);
        }
    }

    private static HttpRequest.Builder bearer(TestService service, String token) {
        return bearer(service, "/v1/functions", token);
    }

    private static HttpRequest.Builder bearer(TestService service, String path, String token) {
        return HttpRequest.newBuilder(service.base().resolve(path)).header("Authorization", "Bearer " + token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"short", "aaaaaaaaaaaaaaaaaaaaaaaa", "fünfzehn-oder-mehr-zeichen", "a token with spaces in it"})
    void aTokenThatCanBeGuessedEndsTheStart(String token) {
        try (DataDirectory directory = DataDirectory.open(data)) {
            assertThatThrownBy(() -> AccessToken.of(token, null, directory))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("16 visible ASCII characters")
                    .hasMessageNotContaining(token);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
