package io.faasimage.registry.access.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.page.Browser;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tests of the permissions of a sign-in, and of its lifetime. */
class SignInsTest {
    private static final String VIEWER = "viewer-token-of-a-test";

    @TempDir
    Path data;

    static String signIn(TestService service, String token) throws IOException, InterruptedException {
        try (Browser browser = new Browser(service)) {
            return browser.signIn(token)
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow()
                    .split(";", 2)[0];
        }
    }

    static HttpResponse<byte[]> open(TestService service, String cookie) throws IOException, InterruptedException {
        return service.send(
                HttpRequest.newBuilder(service.base().resolve("/ui")).header("Cookie", cookie));
    }

    static int sessions(TestService service) {
        return service.part(JdbcClient.class)
                .sql("SELECT count(*) FROM page_sessions")
                .query(Integer.class)
                .single();
    }

    @Test
    void aSignInSurvivesARestartUntilTheTokenOfTheSettingsIsAnother() throws Exception {
        String viewers = "--faasimage.pages.viewer-token=" + VIEWER;
        String admin;
        String viewer;
        try (TestService service = TestService.start(data, viewers)) {
            admin = signIn(service, TestService.TOKEN);
            viewer = signIn(service, VIEWER);
        }
        try (TestService service = TestService.start(data, viewers)) {
            assertThat(new String(open(service, admin).body(), StandardCharsets.UTF_8))
                    .contains("administrator");
            assertThat(open(service, viewer).statusCode()).isEqualTo(200);
        }
        try (TestService service = TestService.start(data)) {
            assertThat(open(service, admin).statusCode()).isEqualTo(200);
            assertThat(open(service, viewer).statusCode()).isEqualTo(303);
        }
        try (TestService service = TestService.start(data, "--faasimage.token=another-secret-of-it")) {
            assertThat(open(service, admin).statusCode()).isEqualTo(303);
        }
    }

    @Test
    void aSignInEndsWithItsTokenAndWithItsTime() throws Exception {
        try (TestService service = TestService.start(data)) {
            NewToken token =
                    service.client().tokens().create(new TokenRequest("brief", List.of(Scope.VIEW), null, null, false));
            String cookie = signIn(service, token.token());
            String other = signIn(service, TestService.TOKEN);
            assertThat(open(service, cookie).statusCode()).isEqualTo(200);
            service.client().tokens().revoke(token.info().id());
            assertThat(open(service, cookie).statusCode()).isEqualTo(303);
            assertThat(open(service, other).statusCode()).isEqualTo(200);
            service.part(JdbcClient.class)
                    .sql("UPDATE page_sessions SET expiry_time = 1, last_access_time = 1")
                    .update();
            assertThat(open(service, other).statusCode()).isEqualTo(303);
        }
    }

    @Test
    void onlyASignInMakesASession() throws Exception {
        try (TestService service = TestService.start(data);
                Browser browser = new Browser(service)) {
            service.client().functions();
            assertThat(service.send(service.request("/v1/overview")).headers().map())
                    .doesNotContainKey("set-cookie");
            browser.get("/ui");
            browser.get("/ui/sign-in");
            browser.signIn("wrong");
            browser.post("/ui/register", Map.of("name", "x"), "Sec-Fetch-Site", "cross-site");
            assertThat(sessions(service)).isZero();
            browser.signIn(TestService.TOKEN);
            browser.signIn(TestService.TOKEN);
            browser.get("/ui/functions");
            assertThat(sessions(service)).isEqualTo(1);
            String form = browser.formToken("/ui");
            browser.post("/ui/sign-out", Map.of("form-token", form));
            assertThat(sessions(service)).isZero();
        }
    }

    @Test
    void nothingThatABrowserOrTheDatabaseWritesIsASignIn() throws Exception {
        try (TestService service = TestService.start(data)) {
            String cookie = signIn(service, TestService.TOKEN);
            for (String value : new String[] {"", "x", "====", "AAAA", "A".repeat(76), "f".repeat(5_000)}) {
                assertThat(open(service, "faasimage_session=" + value).statusCode())
                        .as("%s", value)
                        .isEqualTo(303);
            }
            byte[] stored = Objects.requireNonNull(service.part(JdbcClient.class)
                    .sql("SELECT attribute_bytes FROM page_sessions_attributes WHERE attribute_name = 'sign-in'")
                    .query(byte[].class)
                    .single());
            assertThat(new String(stored, StandardCharsets.ISO_8859_1))
                    .contains(Identity.ADMINISTRATOR.id())
                    .doesNotContain(TestService.TOKEN);
            ByteArrayOutputStream foreign = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(foreign)) {
                out.writeObject(new File("/"));
            }
            service.part(JdbcClient.class)
                    .sql("UPDATE page_sessions_attributes SET attribute_bytes = ?")
                    .param(foreign.toByteArray())
                    .update();
            assertThat(open(service, cookie).statusCode()).isEqualTo(303);
        }
    }
}
