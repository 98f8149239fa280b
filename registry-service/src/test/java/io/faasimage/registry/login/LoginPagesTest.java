package io.faasimage.registry.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.page.Browser;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of logins at image registries. */
class LoginPagesTest extends ServiceTest {
    private static final String PASSWORD = "s3cret-of-the-robot";

    private Browser browser;
    private String form;

    @BeforeAll
    static void start() {
        service = TestService.start(data);
    }

    @BeforeEach
    void open() throws Exception {
        browser = new Browser(service);
        browser.signIn(TestService.TOKEN);
        form = browser.formToken("/ui/logins");
    }

    @AfterEach
    void close() {
        browser.close();
    }

    private HttpResponse<String> put(String repository) throws Exception {
        return browser.post(
                "/ui/logins",
                Map.of("repository", repository, "user", "robot", "password", PASSWORD, "form-token", form));
    }

    @Test
    void anAdministratorStoresAndRemovesLogins() throws Exception {
        assertThat(put(" ghcr.io/team ").statusCode()).isEqualTo(303);
        assertThat(service.client().logins().all())
                .extracting(LoginInfo::repository, LoginInfo::user)
                .containsExactly(tuple("ghcr.io/team", "robot"));
        assertThat(browser.get("/ui/logins").body())
                .contains("ghcr.io/team", "robot")
                .doesNotContain(PASSWORD);
        assertThat(browser.post("/ui/logins/delete", Map.of("repository", "ghcr.io/team", "form-token", form))
                        .statusCode())
                .isEqualTo(303);
        assertThat(service.client().logins().all()).isEmpty();
        assertThat(browser.get("/ui/logins").body()).contains("No logins");
    }

    @Test
    void whatIsRefusedIsSaidWithoutThePassword() throws Exception {
        HttpResponse<String> refused = put("https://ghcr.io");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains("role=\"alert\"", "HOST[:PORT]", "value=\"https://ghcr.io\"", "value=\"robot\"")
                .doesNotContain(PASSWORD);
        assertThat(browser.post("/ui/logins", Map.of("repository", "ghcr.io", "user", "u", "password", "p"))
                        .statusCode())
                .as("a form of another site")
                .isEqualTo(403);
        assertThat(service.client().logins().all()).isEmpty();
    }
}
