package io.faasimage.registry.functions.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests of a function's way over the pages, and of text that looks like markup. */
class FunctionPagesTest extends ServiceTest {
    private static final String HOSTILE = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>";

    private static Browser browser;
    private static String token = "";

    @BeforeAll
    static void start() throws Exception {
        service = TestService.plain(data);
        browser = new Browser(service);
        browser.signIn(TestService.TOKEN);
        token = browser.formToken("/ui");
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    private static HttpResponse<String> act(String path) throws Exception {
        return browser.post(path, Map.of("form-token", token));
    }

    @Test
    void aFunctionIsRegisteredPlannedLookedAtRefactoredTracedAgainAndDeleted() throws Exception {
        RegisteredImage image = service.images().push("registry.test/way:1", "way");
        service.refactoring()
                .content(
                        image.digest(),
                        List.of(
                                TestContent.of(1, 4000, Segment.BASE, true),
                                TestContent.of(2, 9000, Segment.LIB, true),
                                TestContent.of(3, 2000, Segment.FUNC, false)));
        HttpResponse<String> made = browser.post(
                "/ui/register", Map.of("name", "way", "image", "registry.test/way:1", "form-token", token));
        assertThat(made.headers().firstValue("Location")).contains("/ui/functions/way?done=registered");
        assertThat(browser.get("/ui/functions/way?done=registered").body())
                .contains("Registered.", "There is no plan yet", "faasimage trace registry.test/way:1");

        service.traced(image);
        assertThat(browser.get("/ui/functions?q=way").body()).contains("way", "planned", "segments", "python3.12");
        assertThat(browser.get("/ui/functions/way").body())
                .contains(
                        "flask",
                        "3.1.0",
                        "a start needs",
                        "Versions",
                        "an empty node, plan 1",
                        "action=\"/ui/functions/way/refactor\"");
        // A view that takes long to read may be some seconds old.
        Wait.until(
                "the library", () -> browser.get("/ui/libraries?q=flask").body().contains("flask"));
        assertThat(browser.get("/ui/jobs").body()).contains("way", "done");

        HttpResponse<String> again = act("/ui/functions/way/refactor");
        assertThat(again.headers().firstValue("Location")).contains("/ui/functions/way?done=refactor");
        for (JobInfo job : service.client().jobs()) {
            service.awaitEnd(job.id());
        }

        assertThat(browser.get("/ui/functions/way/retrace").body()).contains("Trace way again?");
        assertThat(act("/ui/functions/way/retrace").statusCode()).isEqualTo(303);
        assertThat(service.client().image(image.digest()).plan()).isNull();
        assertThat(service.client().image(image.digest()).traceRuns()).isZero();
        assertThat(browser.get("/ui/functions/way").body()).contains("There is no plan yet");
        assertThat(act("/ui/functions/way/refactor").statusCode()).isEqualTo(409);

        assertThat(browser.get("/ui/functions/way/delete").body()).contains("Delete way?");
        assertThat(browser.post("/ui/functions/way/delete", Map.of("form-token", token, "purge", "true"))
                        .headers()
                        .firstValue("Location"))
                .contains("/ui/functions");
        assertThat(browser.get("/ui/functions/way").statusCode()).isEqualTo(404);
    }

    @Test
    void aTraceThatIsForgottenCanComeAgain() throws Exception {
        RegisteredImage image = service.images().push("registry.test/again:1", "again");
        service.client().register(new FunctionRequest("again", "registry.test/again:1", null, null));
        service.traced(image);
        assertThat(act("/ui/functions/again/retrace").statusCode()).isEqualTo(303);
        service.traced(image);
        assertThat(service.client().image(image.digest()).plan()).isNotNull();
    }

    @Test
    void whatAnImageALibraryOrAnErrorIsCalledIsTextAndNothingElse() throws Exception {
        RegisteredImage image = service.images().push(HOSTILE, "hostile");
        service.client().register(new FunctionRequest("hostile", HOSTILE, HOSTILE, null));
        service.traced(image);
        JdbcTemplate jdbc = service.part(JdbcTemplate.class);
        jdbc.update(
                "UPDATE plan_libraries SET name = ?, version = ? WHERE plan IN (SELECT plan FROM images WHERE digest = ?)",
                HOSTILE,
                HOSTILE,
                image.digest().toString());
        jdbc.update(
                "UPDATE plans SET runtime = ? WHERE image = ?",
                "<script>",
                image.digest().toString());
        jdbc.update(
                "UPDATE images SET error = ?, state = 'FAILED' WHERE digest = ?",
                HOSTILE,
                image.digest().toString());
        jdbc.update(
                "UPDATE jobs SET error = ?, phase = ?, state = 'FAILED' WHERE image = ?",
                HOSTILE,
                HOSTILE,
                image.digest().toString());
        jdbc.update(
                "INSERT INTO events (happened, received, source, subject, severity, topic, text)"
                        + " VALUES (CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 'NODE', ?, 'ERROR', ?, ?)",
                HOSTILE,
                HOSTILE,
                HOSTILE);
        for (String path : new String[] {
            "/ui",
            "/ui/functions",
            "/ui/functions?q=%3Cscript%3E",
            "/ui/functions/hostile",
            "/ui/functions/hostile/delete",
            "/ui/functions/hostile/retrace",
            "/ui/libraries",
            "/ui/libraries?q=%3Cscript%3Ealert(1)",
            "/ui/jobs",
            "/ui/events",
            "/ui/events?subject=%3Cscript%3E",
            "/ui/functions/%3Cscript%3E",
            "/ui/functions?state=%3Cscript%3E"
        }) {
            String page = Wait.value(() -> browser.get(path).body(), body -> body.contains("&lt;script"));
            assertThat(page).as(path).doesNotContain("<script>", "<img");
        }
        assertThat(browser.post("/ui/register", Map.of("form-token", token, "name", HOSTILE, "image", HOSTILE))
                        .body())
                .contains("not a function name", "&lt;script")
                .doesNotContain("<script>", "<img");
        service.client().deleteFunction("hostile", true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/functions/absent",
                "/ui/functions/absent/delete",
                "/ui/starts/absent",
                "/ui/nowhere",
                "/ui/functions/a/b/c",
                "/ui/functions/%F0%9F%92%A9"
            })
    void whatIsNotThereIsAPage(String path) throws Exception {
        HttpResponse<String> page = browser.get(path);
        assertThat(page.statusCode()).isIn(400, 404);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=UTF-8");
        assertThat(page.body()).contains("To the overview").doesNotContain("Exception", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"page=0", "page=-1", "page=99999999999", "page=x", "state=NONE", "page=1000001"})
    void aNumberThatIsNoneIsAPage(String query) throws Exception {
        HttpResponse<String> page = browser.get("/ui/functions?" + query);
        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("To the overview");
        assertThat(browser.get("/ui/functions?page=1000").statusCode()).isEqualTo(200);
        assertThat(browser.get("/ui/functions?q=" + "a".repeat(254)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aRefusedRegistrationKeepsWhatWasFilledIn() throws Exception {
        HttpResponse<String> page = browser.post(
                "/ui/register",
                Map.of(
                        "name",
                        "kept",
                        "image",
                        "registry.test/absent:1",
                        "port",
                        "80a",
                        "path",
                        "/h",
                        "form-token",
                        token));
        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("value=\"kept\"", "value=\"80a\"", "not a number");
        page = browser.post(
                "/ui/register", Map.of("name", "kept", "image", "registry.test/absent:1", "form-token", token));
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).contains("not in the test's registry", "value=\"registry.test/absent:1\"");
    }

    @Test
    void theApiHasWhatThePagesHave() throws Exception {
        for (String path : new String[] {"functions", "libraries", "jobs"}) {
            HttpResponse<byte[]> answer = service.send(service.request("/v1/views/" + path));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(Json.mapper()
                            .readTree(new String(answer.body(), StandardCharsets.UTF_8))
                            .isObject())
                    .isTrue();
        }
        assertThat(service.send(service.request("/v1/views/functions/absent")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void whatIsRefusedIsSaidOnThePageThatAsked() throws Exception {
        service.images().push("registry.test/refused:1", "refused");
        service.client().register(new FunctionRequest("refused", "registry.test/refused:1", null, null));
        for (String action : new String[] {"refactor", "pin"}) {
            HttpResponse<String> answer = act("/ui/functions/refused/" + action);
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body())
                    .contains("<h1>refused</h1>", "role=\"alert\" tabindex=\"-1\" autofocus", "traced");
        }
        assertThat(act("/ui/functions/nobody/pin").statusCode()).isEqualTo(404);

        HttpResponse<String> unnamed = browser.post(
                "/ui/register",
                Map.of("name", "Not a name", "image", "registry.test/refused:1", "port", "70000", "form-token", token));
        assertThat(unnamed.statusCode()).isEqualTo(400);
        assertThat(unnamed.body())
                .contains("autofocus", "value=\"Not a name\"", "value=\"registry.test/refused:1\"", "value=\"70000\"");
    }

    @Test
    void aFormThatIsNotOursIsRefusedByAPage() throws Exception {
        Map<String, String> form = Map.of("form-token", "old");
        HttpResponse<String> old = browser.post("/ui/functions/x/delete", form, "Accept", "text/html,*/*");
        assertThat(old.statusCode()).isEqualTo(403);
        assertThat(old.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(old.body()).contains("earlier sign-in");
        assertThat(browser.post("/ui/functions/x/delete", form).body()).startsWith("{");
        try (Browser stranger = new Browser(service)) {
            HttpResponse<String> ended = stranger.post("/ui/register", form, "Accept", "text/html");
            assertThat(ended.statusCode()).isEqualTo(401);
            assertThat(ended.body()).contains("The sign-in has ended", "href=\"/ui/sign-in\"");
        }
    }

    @Test
    void aPageHasAsManyRowsAsItSays(@TempDir Path directory) throws Exception {
        try (TestService many = TestService.start(directory);
                Browser other = new Browser(many)) {
            ManyFunctions.fill(many.part(JdbcTemplate.class), 120);
            other.signIn(TestService.TOKEN);
            assertThat(other.get("/ui/functions?q=function-&page=3").body())
                    .contains("function-00100", "function-00119", "page 3 of 3")
                    .doesNotContain("function-00099");
            assertThat(other.get("/ui/functions?q=function-0_").body()).contains("No matching function");
        }
    }

    @Test
    void aFunctionIsPinnedAndUnpinnedByButtons() throws Exception {
        RegisteredImage image = service.images().push("registry.test/pins:1", "pins");
        service.refactoring().content(image.digest(), List.of(TestContent.of(1, 4000, Segment.BASE, true)));
        service.client().register(new FunctionRequest("pins", image.reference(), null, null));
        service.traced(image);
        assertThat(act("/ui/functions/pins/pin").headers().firstValue("Location"))
                .contains("/ui/functions/pins?done=pin");
        assertThat(browser.get("/ui/functions/pins").body())
                .contains("Unpin", "1, pinned", "no newer one")
                .doesNotContain("Trace again");
        service.traced(image);
        service.refactoring()
                .content(
                        image.digest(),
                        List.of(
                                TestContent.of(1, 4000, Segment.BASE, true),
                                TestContent.of(2, 400, Segment.FUNC, true)));
        service.traced(image);
        assertThat(browser.get("/ui/functions/pins").body()).containsPattern("plan \\d is available");
        assertThat(act("/ui/functions/pins/retrace").statusCode()).isEqualTo(409);
        act("/ui/functions/pins/unpin");
        assertThat(browser.get("/ui/functions/pins?done=unpin").body())
                .contains("Nodes get the newest plan", ">Pin</button>");
    }
}
