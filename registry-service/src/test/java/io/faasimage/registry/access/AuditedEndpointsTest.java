package io.faasimage.registry.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import io.faasimage.registry.images.image.RegisteredImage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each endpoint that changes something writes a record of it, by its caller. */
class AuditedEndpointsTest extends ServiceTest {
    /** Reports of nodes, and requests that change nothing although they have a body. */
    private static final Set<Endpoint> NOT_AUDITED = Set.of(
            new Endpoint("POST", "/v1/bundles"),
            new Endpoint("POST", "/v1/traces"),
            new Endpoint("PUT", "/v1/nodes/{name}"),
            new Endpoint("POST", "/v1/nodes/{name}/starts"),
            new Endpoint(Endpoint.ANY, "/ui/**"),
            new Endpoint(Endpoint.ANY, "/error"));

    private static final Map<Endpoint, Change> CHANGES = new LinkedHashMap<>();
    private static final String SECRET = "7".repeat(64);

    @TempDir
    static Path work;

    @SuppressWarnings("NullAway.Init")
    private static Browser browser;

    private static String form = "";
    private static Digest image = Digest.of(new byte[0]);

    @FunctionalInterface
    private interface Call {
        void send() throws Exception;
    }

    /** A change that succeeds. */
    private record Change(String action, String object, Call call) {}

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data);
        browser = new Browser(service);
        browser.signIn(TestService.TOKEN);
        form = browser.formToken("/ui/tokens");
        plan("planned");
        addApi();
        addPages();
    }

    @AfterAll
    static void close() {
        browser.close();
    }

    private static void plan(String name) throws IOException {
        RegisteredImage pushed = service.images().push("registry.test/" + name + ":1", name);
        image = pushed.digest();
        service.refactoring().content(pushed.digest(), List.of(TestContent.of(2, 2_000, Segment.FUNC, true)));
        service.client().register(new FunctionRequest(name, pushed.reference(), null, null));
        trace(pushed);
    }

    private static void trace(RegisteredImage pushed) throws IOException {
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(pushed.topChain(), 3))
                .id());
    }

    private static void register(String name) throws IOException {
        service.images().push("registry.test/" + name + ":1", name);
        service.client().register(new FunctionRequest(name, "registry.test/" + name + ":1", null, null));
    }

    private static void add(String method, String pattern, String action, String object, Call call) {
        CHANGES.put(new Endpoint(method, pattern), new Change(action, object, call));
    }

    private static void addApi() {
        add("POST", "/v1/functions", "function.register", "new", () -> register("new"));
        add(
                "PUT",
                "/v1/functions/{name}/pin",
                "function.pin",
                "planned",
                () -> service.client().pin("planned"));
        add(
                "DELETE",
                "/v1/functions/{name}/pin",
                "function.unpin",
                "planned",
                () -> service.client().unpin("planned"));
        add("DELETE", "/v1/functions/{name}", "function.delete", "new", () -> {
            register("new");
            service.client().deleteFunction("new", true);
        });
        add(
                "POST",
                "/v1/images/{digest}/refactor",
                "image.refactor",
                image.toString(),
                () -> service.awaitEnd(service.client().refactor(image).id()));
        add("DELETE", "/v1/images/{digest}/trace", "image.retrace", image.toString(), () -> {
            assertThat(service.send(service.request("/v1/images/" + image + "/trace")
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(204);
            plan("planned");
        });
        add(
                "PUT",
                "/v1/profiles/imported",
                "profile.import",
                "imported",
                () -> service.client().profiles().replaceImported(List.of()));
        add("POST", "/v1/tokens", "token.create", "", () -> token(Scope.VIEW));
        add(
                "DELETE",
                "/v1/tokens/{id}",
                "token.revoke",
                "",
                () -> service.client().tokens().revoke(token(Scope.VIEW)));
        add("POST", "/v1/nodes/{name}/enrol", "node.enrol", "node-1", AuditedEndpointsTest::enrol);
        add("POST", "/v1/nodes/{name}/renew", "node.renew", "node-1", () -> {
            try (ServiceClient node = with("fsi_" + enrol() + "_" + SECRET)) {
                node.tokens().renew("node-1", key("8".repeat(64)));
            }
        });
    }

    private static void addPages() {
        add("POST", "/ui/sign-in", "session.begin", "/ui", () -> {
            try (Browser other = new Browser(service)) {
                assertThat(other.signIn(TestService.TOKEN).statusCode()).isEqualTo(303);
            }
        });
        add("POST", "/ui/sign-out", "session.end", "/ui", () -> {
            try (Browser other = new Browser(service)) {
                other.signIn(TestService.TOKEN);
                String token = other.formToken("/ui/tokens");
                assertThat(other.post("/ui/sign-out", Map.of("form-token", token))
                                .statusCode())
                        .isEqualTo(303);
            }
        });
        add("POST", "/ui/register", "function.register", "paged", () -> {
            service.images().push("registry.test/paged:1", "paged");
            post("/ui/register", Map.of("name", "paged", "image", "registry.test/paged:1"));
        });
        for (String change : List.of("pin", "unpin")) {
            add(
                    "POST",
                    "/ui/functions/{name}/" + change,
                    "function." + change,
                    "planned",
                    () -> post("/ui/functions/planned/" + change, Map.of()));
        }
        add("POST", "/ui/functions/{name}/refactor", "image.refactor", image.toString(), () -> {
            post("/ui/functions/planned/refactor", Map.of());
            for (JobInfo job : service.client().jobs()) {
                service.awaitEnd(job.id());
            }
        });
        add("POST", "/ui/functions/{name}/retrace", "image.retrace", image.toString(), () -> {
            post("/ui/functions/planned/retrace", Map.of());
            plan("planned");
        });
        add("POST", "/ui/functions/{name}/delete", "function.delete", "gone", () -> {
            register("gone");
            post("/ui/functions/gone/delete", Map.of());
        });
        add(
                "POST",
                "/ui/tokens",
                "token.create",
                "",
                () -> assertThat(
                                browser.post("/ui/tokens", Map.of("name", "paged", "scope", "view", "form-token", form))
                                        .statusCode())
                        .isEqualTo(200));
        add(
                "POST",
                "/ui/tokens/{id}/revoke",
                "token.revoke",
                "",
                () -> post("/ui/tokens/" + token(Scope.VIEW) + "/revoke", Map.of()));
    }

    private static void post(String path, Map<String, String> fields) throws Exception {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put("form-token", form);
        HttpResponse<String> answer = browser.post(path, all);
        assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(303);
    }

    private static String token(Scope scope) throws IOException {
        return service.client()
                .tokens()
                .create(new TokenRequest("of-a-test", List.of(scope), null, null, false))
                .info()
                .id();
    }

    private static NodeKey key(String secret) {
        return new NodeKey(Digest.of(secret.getBytes(StandardCharsets.US_ASCII)).toString());
    }

    private static ServiceClient with(String token) {
        return new ServiceClient(ServiceConfig.of(service.base(), Optional.of(token)));
    }

    private static String enrol() throws IOException {
        String enrolment = service.client()
                .tokens()
                .create(TokenRequest.enrolment("node-1", null))
                .token();
        try (ServiceClient node = with(enrolment)) {
            return node.tokens().enrol("node-1", key(SECRET)).id();
        }
    }

    @Test
    void everyChangingEndpointIsKnownHere() {
        Set<Endpoint> changing =
                new HashSet<>(service.part(EndpointTable.class).all().keySet());
        changing.removeIf(endpoint -> endpoint.method().equals("GET"));
        Set<Endpoint> known = new HashSet<>(CHANGES.keySet());
        known.addAll(NOT_AUDITED);
        assertThat(changing)
                .as("make a new endpoint that changes something write to AuditLog, and add it here")
                .containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void everyChangeIsRecordedOnce() throws Exception {
        for (Map.Entry<Endpoint, Change> entry : CHANGES.entrySet()) {
            Change change = entry.getValue();
            long before = newest();
            change.call().send();
            List<AuditRecord> records = service.client().audit().list(Map.of("limit", "50")).items().stream()
                    .filter(record -> record.id() > before && record.action().equals(change.action()))
                    .toList();
            assertThat(records).as("%s", entry.getKey()).singleElement().satisfies(record -> {
                assertThat(record.address()).isEqualTo("127.0.0.1");
                assertThat(record.actor()).matches("service|[0-9a-f]{16}");
                assertThat(record.request()).isNotEmpty();
                assertThat(record.object())
                        .matches(object -> change.object().isEmpty()
                                ? object.matches("[0-9a-f]{16}")
                                : object.equals(change.object()));
            });
        }
        assertThat(service.client().audit().list(Map.of("limit", "500")).items().toString())
                .contains("of-a-test")
                .doesNotContain(TestService.TOKEN, SECRET, form);
    }

    private static long newest() throws IOException {
        return service.client().audit().list(Map.of("limit", "1")).items().stream()
                .mapToLong(AuditRecord::id)
                .findFirst()
                .orElse(0);
    }
}
