package io.faasimage.registry.access.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of tokens, and sign-ins with them. */
class TokenPagesTest extends ServiceTest {
    private static final Pattern SECRET = Pattern.compile("fsi_[0-9a-f]{16}_[0-9a-f]{64}");

    private Browser browser;

    @BeforeAll
    static void start() {
        service = TestService.plain(data);
    }

    @BeforeEach
    void open() {
        browser = new Browser(service);
    }

    @AfterEach
    void close() {
        browser.close();
    }

    @Test
    void anAdministratorCreatesAndRevokesTokens() throws Exception {
        browser.signIn(TestService.TOKEN);
        String form = browser.formToken("/ui/tokens");
        HttpResponse<String> created =
                browser.post("/ui/tokens", Map.of("name", "robot", "scope", "view", "days", "30", "form-token", form));
        assertThat(created.statusCode()).isEqualTo(200);
        Matcher secret = SECRET.matcher(created.body());
        assertThat(secret.find()).isTrue();
        assertThat(created.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(browser.get("/ui/tokens?q=robot").body())
                .contains("robot", "view", "valid")
                .doesNotContain(secret.group());
        TokenInfo token = token("robot");
        try (Browser robot = new Browser(service)) {
            assertThat(robot.signIn(secret.group()).statusCode()).isEqualTo(303);
            assertThat(robot.get("/ui/functions").body()).contains("viewer").doesNotContain("/ui/tokens");
            assertThat(browser.post("/ui/tokens/" + token.id() + "/revoke", Map.of("form-token", form))
                            .statusCode())
                    .isEqualTo(303);
            assertThat(robot.get("/ui/functions").statusCode()).isEqualTo(303);
            HttpResponse<String> again = robot.signIn(secret.group());
            assertThat(again.statusCode()).isEqualTo(401);
            assertThat(again.body()).contains("expired or was revoked");
        }
        assertThat(browser.get("/ui/tokens").body()).contains("revoked");
    }

    private static TokenInfo token(String name) throws Exception {
        return service.client().tokens().all().stream()
                .filter(token -> token.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theFormIsOurOwnAndWhatItRefusesIsSaid() throws Exception {
        browser.signIn(TestService.TOKEN);
        assertThat(browser.post("/ui/tokens", Map.of("name", "forged", "scope", "admin"))
                        .statusCode())
                .isEqualTo(403);
        String form = browser.formToken("/ui/tokens");
        HttpResponse<String> refused = browser.post("/ui/tokens", Map.of("name", "nothing", "form-token", form));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("role=\"alert\"", "one scope at least", "value=\"nothing\"");
        assertThat(service.client().tokens().all()).extracting(TokenInfo::name).doesNotContain("forged", "nothing");
        HttpResponse<String> enrolment =
                browser.post("/ui/tokens", Map.of("name", "node-9", "kind", "enrolment", "form-token", form));
        assertThat(enrolment.body()).contains("--enrol-token-file", "Enrolment of node node-9");
    }

    @Test
    void aDeployersPagesHaveItsButtonsOnly() throws Exception {
        service.images().push("registry.test/of-a-deployer:1", "of-a-deployer");
        NewToken token = service.client()
                .tokens()
                .create(new TokenRequest("deployer", List.of(Scope.DEPLOY), null, null, false));
        assertThat(browser.signIn(token.token()).statusCode()).isEqualTo(303);
        String form = browser.formToken("/ui/register");
        assertThat(browser.get("/ui/register").body())
                .contains("Image reference")
                .doesNotContain("From code", "administrator");
        assertThat(browser.post(
                                "/ui/register",
                                Map.of(
                                        "name",
                                        "of-a-deployer",
                                        "image",
                                        "registry.test/of-a-deployer:1",
                                        "form-token",
                                        form))
                        .statusCode())
                .isEqualTo(303);
        assertThat(browser.get("/ui/functions/of-a-deployer").body()).contains("Delete");
        HttpResponse<String> refused = browser.get("/ui/tokens", "Accept", "text/html");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("<nav", "requires the scope");
        assertThat(service.client().tokens().all()).isNotEmpty();
    }
}
