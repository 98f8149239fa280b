package io.faasimage.registry.access.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the sign-in, of the permissions after it, and of the headers that browsers get. */
class SignInTest extends ServiceTest {
    private static final String VIEWER = "viewer-token-of-a-test";

    private Browser browser;

    @BeforeAll
    static void start() {
        service = TestService.start(data, "--faasimage.pages.viewer-token=" + VIEWER);
        service.images().push("registry.test/signed:1", "signed");
    }

    @BeforeEach
    void open() {
        browser = new Browser(service);
    }

    @AfterEach
    void close() {
        browser.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui",
                "/ui/",
                "/ui/functions",
                "/ui/functions/x",
                "/ui/nothing",
                "/ui/register",
                "/ui/events/stream",
                "/ui;a=b/functions",
                "/%75i/functions",
                "/ui/assets/../functions"
            })
    void withoutASignInThereIsNothingToSee(String path) throws Exception {
        HttpResponse<String> answer = browser.get(path);
        assertThat(answer.statusCode()).as(path).isIn(303, 400, 404);
        assertThat(answer.body()).doesNotContain("<nav");
        if (answer.statusCode() == 303) {
            assertThat(answer.headers().firstValue("Location").orElseThrow()).startsWith("/ui/sign-in");
        }
    }

    @Test
    void theSignInLeadsToWhereOneWantedToGo() throws Exception {
        HttpResponse<String> sent = browser.get("/ui/functions?q=a%20b");
        String location = sent.headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("/ui/sign-in?next=%2Fui%2Ffunctions%3Fq%3Da%2520b");
        assertThat(browser.get(location).body()).contains("value=\"/ui/functions?q=a%20b\"");
        HttpResponse<String> in = browser.post(
                "/ui/sign-in", Map.of("token", " " + TestService.TOKEN + "\n", "next", "/ui/functions?q=a%20b"));
        assertThat(in.statusCode()).isEqualTo(303);
        assertThat(in.headers().firstValue("Location")).contains("/ui/functions?q=a%20b");
        String cookie = in.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie)
                .contains("HttpOnly", "SameSite=Strict", "Path=/ui", "Max-Age=43200")
                .doesNotContain("Secure");
        assertThat(browser.get("/ui/functions").body()).contains("administrator", "<h1>Functions</h1>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.test/", "//evil.test", "/ui/../v1", "javascript:alert(1)", "/ui\r\nX: y", "/uix"})
    void theSignInLeadsNowhereElse(String next) throws Exception {
        HttpResponse<String> in = browser.post("/ui/sign-in", Map.of("token", TestService.TOKEN, "next", next));
        assertThat(in.headers().firstValue("Location").orElseThrow()).isIn("/ui", "/ui/../v1");
    }

    @Test
    void everyPageTellsTheBrowserToLoadNothingElse() throws Exception {
        browser.signIn(TestService.TOKEN);
        for (String path : new String[] {"/ui", "/ui/sign-in", "/ui/nothing", "/ui/functions/absent"}) {
            HttpResponse<String> page = browser.get(path);
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'")
                    .doesNotContain("unsafe");
            assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
            assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(page.body()).doesNotContain("style=", "<style", "onclick", "javascript:");
            assertThat(page.body().split("<script", -1))
                    .allMatch(part -> part.startsWith("<!") || part.startsWith(" src="));
        }
    }

    @Test
    void aViewerSeesNoButtonsAndChangesNothing() throws Exception {
        try (Browser admin = new Browser(service)) {
            admin.signIn(TestService.TOKEN);
            String token = admin.formToken("/ui/register");
            admin.post(
                    "/ui/register", Map.of("name", "watched", "image", "registry.test/signed:1", "form-token", token));
            browser.signIn(VIEWER);
            String page = browser.get("/ui/functions/watched").body();
            assertThat(page)
                    .contains("registry.test/signed:1", "viewer")
                    .doesNotContain("Delete", "Refactor", "Trace again");
            String own = browser.formToken("/ui");
            for (String form : new String[] {token, own}) {
                assertThat(browser.post("/ui/functions/watched/delete", Map.of("form-token", form))
                                .statusCode())
                        .isEqualTo(403);
            }
            assertThat(service.client().function("watched").name()).isEqualTo("watched");
            assertThat(browser.post("/ui/sign-out", Map.of("form-token", own)).statusCode())
                    .isEqualTo(303);
            assertThat(browser.get("/ui").statusCode()).isEqualTo(303);
        }
    }

    @Test
    void aViewersTokenReadsTheApiButNoContents() throws Exception {
        String header = "Bearer " + VIEWER;
        assertThat(browser.get("/v1/views/functions", "Authorization", header).statusCode())
                .isEqualTo(200);
        assertThat(browser.get("/v1/overview", "Authorization", header).statusCode())
                .isEqualTo(200);
        HttpResponse<String> object = browser.get("/v1/objects/" + "0".repeat(64), "Authorization", header);
        assertThat(object.statusCode()).isEqualTo(403);
        assertThat(object.body()).contains("urn:faasimage:problem:forbidden");
        assertThat(browser.post("/v1/functions", "application/json", "{}", "Authorization", header)
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aFormWithoutItsTokenOrFromAnotherSiteIsRefused() throws Exception {
        browser.signIn(TestService.TOKEN);
        String token = browser.formToken("/ui/register");
        Map<String, String> form = Map.of("name", "forged", "image", "registry.test/signed:1");
        Map<String, String> whole = Map.of("name", "forged", "image", "registry.test/signed:1", "form-token", token);
        assertThat(browser.post("/ui/register", form).statusCode()).isEqualTo(403);
        assertThat(browser.post("/ui/register", whole, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(browser.post("/ui/sign-in", Map.of("token", "x"), "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(browser.get("/ui/functions/forged").statusCode()).isEqualTo(404);
        assertThat(browser.post("/ui/register", whole, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(303);
    }

    @Test
    void onlyFilesOfOursAreAssets() throws Exception {
        assertThat(browser.get("/ui/assets/x/app.css").statusCode()).isEqualTo(404);
        String page = browser.get("/ui/sign-in").body();
        String css = page.replaceAll("(?s).*href=\"(/ui/assets/[^\"]+/app.css)\".*", "$1");
        HttpResponse<String> file = browser.get(css);
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/css");
        assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
    }
}
