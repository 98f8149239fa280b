package io.faasimage.registry.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.TestService;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to who guesses tokens, and to who may look without one. */
class WrongTokensTest {
    @TempDir
    Path data;

    @Test
    void afterSomeWrongTokensEvenTheRightOneHasToWait() throws Exception {
        try (TestService service = TestService.start(data, "--faasimage.pages.attempts=3");
                Browser browser = new Browser(service)) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = browser.signIn("guess " + i);
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.body())
                        .contains("not a token of this service")
                        .doesNotContain("guess");
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
}
