package io.faasimage.registry.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each endpoint is called with no token, with one of each scope, with an enrolment, and by another node. */
class EndpointAccessTest extends ServiceTest {
    private static final String NODE = "node-1";
    private static final Map<Scope, String> TOKENS = new TreeMap<>();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private record Answer(int status, String body) {}

    @BeforeAll
    static void start() throws IOException {
        service = TestService.start(data);
        for (Scope scope : Scope.values()) {
            TOKENS.put(scope, create(new TokenRequest("of-a-test", List.of(scope), null, null, false)));
        }
    }

    @AfterAll
    static void close() {
        HTTP.close();
    }

    private static String create(TokenRequest request) throws IOException {
        return service.client().tokens().create(request).token();
    }

    private static String token(Scope scope) {
        return Objects.requireNonNull(TOKENS.get(scope));
    }

    private static Stream<Entry<Endpoint, Requirement>> rest() {
        return service.part(EndpointTable.class).all().entrySet().stream()
                .filter(entry -> entry.getKey().pattern().startsWith("/v1/")
                        && !(entry.getValue() instanceof Requirement.Nothing));
    }

    @Test
    void withoutATokenThereIsNothing() throws Exception {
        for (Endpoint endpoint : rest().map(Entry::getKey).toList()) {
            assertThat(call(endpoint, "").status()).as("%s", endpoint).isEqualTo(401);
        }
    }

    @Test
    void aScopePermitsWhatTheTableSaysAndNothingElse() throws Exception {
        for (Entry<Endpoint, Requirement> entry : rest().toList()) {
            for (Scope scope : Scope.values()) {
                Answer answer = call(entry.getKey(), token(scope));
                if (permits(entry.getValue(), scope)) {
                    assertThat(answer.status())
                            .as("%s with %s: %s", entry.getKey(), scope, answer.body())
                            .isNotIn(401, 403)
                            .isLessThan(500);
                } else {
                    assertThat(answer.status())
                            .as("%s with %s: %s", entry.getKey(), scope, answer.body())
                            .isEqualTo(403);
                    assertThat(answer.body())
                            .contains("urn:faasimage:problem:forbidden", "requires")
                            .doesNotContain(token(scope));
                }
            }
        }
    }

    private static boolean permits(Requirement requirement, Scope scope) {
        return switch (requirement) {
            case Requirement.Nothing _ -> true;
            case Requirement.OneOf oneOf ->
                scope == Scope.ADMIN || oneOf.scopes().contains(scope);
            // The renewal is of an enrolled node's identity, which no token of this test is: see below.
            case Requirement.OwnNode _ -> scope == Scope.ADMIN || scope == Scope.NODE;
            case Requirement.Enrolment _ -> false;
        };
    }

    @Test
    void anEnrolmentPermitsOnlyTheExchange() throws Exception {
        String enrolment = create(TokenRequest.enrolment(NODE, null));
        for (Entry<Endpoint, Requirement> entry : rest().toList()) {
            boolean exchanges = entry.getValue() instanceof Requirement.Enrolment;
            assertThat(call(entry.getKey(), enrolment).status())
                    .as("%s", entry.getKey())
                    .isEqualTo(exchanges ? 400 : 403);
        }
        String other = create(TokenRequest.enrolment("node-2", null));
        assertThat(call(new Endpoint("POST", "/v1/nodes/{name}/enrol"), other).status())
                .isEqualTo(403);
    }

    @Test
    void aNodeReportsOnlyItself() throws Exception {
        String own = create(new TokenRequest("own", List.of(Scope.NODE), null, NODE, false));
        String other = create(new TokenRequest("other", List.of(Scope.NODE), null, "node-2", false));
        for (Entry<Endpoint, Requirement> entry : rest().toList()) {
            if (entry.getValue() instanceof Requirement.OwnNode
                    && !entry.getKey().pattern().endsWith("/renew")) {
                assertThat(call(entry.getKey(), own).status())
                        .as("%s", entry.getKey())
                        .isNotIn(401, 403);
                Answer refused = call(entry.getKey(), other);
                assertThat(refused.status()).as("%s", entry.getKey()).isEqualTo(403);
                assertThat(refused.body()).contains("node-2", "cannot report 'node-1'");
            }
        }
    }

    @Test
    void pagesPermitWhatTheTableSays() throws Exception {
        List<Entry<Endpoint, Requirement>> pages = service.part(EndpointTable.class).all().entrySet().stream()
                .filter(entry -> entry.getKey().pattern().startsWith("/ui")
                        && !entry.getKey().pattern().equals("/ui/sign-out")
                        && entry.getValue() instanceof Requirement.OneOf)
                .toList();
        for (Scope scope : List.of(Scope.VIEW, Scope.DEPLOY, Scope.ADMIN)) {
            try (Browser browser = new Browser(service)) {
                assertThat(browser.signIn(token(scope)).statusCode()).isEqualTo(303);
                String form = browser.formToken("/ui");
                for (Entry<Endpoint, Requirement> entry : pages) {
                    int status = open(browser, entry.getKey(), form);
                    assertThat(status == 401 || status == 403)
                            .as("%s with %s: %s", entry.getKey(), scope, status)
                            .isNotEqualTo(permits(entry.getValue(), scope));
                }
            }
        }
    }

    private static int open(Browser browser, Endpoint endpoint, String form) throws Exception {
        String path = path(endpoint);
        if (endpoint.pattern().endsWith("/stream")) {
            return browser.status(path);
        }
        return endpoint.method().equals("POST")
                ? browser.post(path, Map.of("form-token", form)).statusCode()
                : browser.get(path).statusCode();
    }

    @Test
    void aNodesTokenSignsNobodyIn() throws Exception {
        try (Browser browser = new Browser(service)) {
            assertThat(browser.signIn(token(Scope.NODE)).statusCode()).isEqualTo(403);
            assertThat(browser.get("/ui").statusCode()).isEqualTo(303);
        }
    }

    private static Answer call(Endpoint endpoint, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.base().resolve(path(endpoint)))
                .timeout(Duration.ofSeconds(20))
                .method(endpoint.method(), BodyPublishers.noBody());
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (endpoint.pattern().equals("/v1/traces")) {
            request.header("Content-Type", "application/octet-stream");
        } else if (!endpoint.method().equals("GET")) {
            request.header("Content-Type", "application/json").method(endpoint.method(), BodyPublishers.ofString("{}"));
        }
        return answer(request.build());
    }

    /** A stream of events does not end: of an accepted request its head is enough. */
    private static Answer answer(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = HTTP.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            String text = answer.statusCode() < 300 ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(answer.statusCode(), text);
        }
    }

    private static String path(Endpoint endpoint) {
        return endpoint.pattern()
                .replace("{name}", NODE)
                .replace("{change:delete|retrace}", "delete")
                .replace("{digest}", "sha256:" + "0".repeat(64))
                .replace("{chain}", "sha256:" + "0".repeat(64))
                .replace("{id}", "none")
                .replace("/**", "/nothing");
    }
}
