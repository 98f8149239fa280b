package io.faasimage.registry.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.overview.EventInfo.Severity;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.api.tenant.TenantRequest;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.registry.page.Browser;
import io.faasimage.registry.tenancy.Quotas;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An administrator of one tenant tries every endpoint on what is another's, and compares with what is nowhere. */
class TenantAttackTest extends ServiceTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final TestContent OBJECT = TestContent.of(7, 3_000, Segment.FUNC, true);
    private static final String FUNCTION = "secret-function";
    private static final String NODE = "secret-node";
    private static final String EVENT = "secret-event";
    private static final String NOWHERE = "sha256:" + "0".repeat(64);

    /** What the patterns of endpoints mean, and names of nothing of the same kind and length. */
    private static final Map<String, String> SECRETS = new LinkedHashMap<>();

    private static String attacker = "";
    private static String victim = "";
    private static RegisteredImage image;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data);
        for (String tenant : List.of("attacker", "victim")) {
            service.client().tenants().create(new TenantRequest(tenant, null));
        }
        attacker = token("attacker");
        victim = token("victim");
        image = service.images().push("registry.test/secret:1", "base", "secret");
        service.refactoring().content(image, List.of(OBJECT));
        try (ServiceClient client = with(victim)) {
            JobInfo job = plan(client);
            NodeEvent event = new NodeEvent(1, Instant.now(), Severity.INFO, "pull", EVENT);
            client.putNode(
                    NODE,
                    new NodeReport(
                            "instance",
                            "1",
                            Instant.now(),
                            null,
                            null,
                            List.of(),
                            0,
                            0,
                            0,
                            0,
                            Map.of(),
                            0,
                            0,
                            List.of(event)));
            SECRETS.put(FUNCTION, "absent-function");
            SECRETS.put(NODE, "absent-node");
            SECRETS.put(image.digest().toString(), NOWHERE);
            SECRETS.put(image.topChain().toString(), NOWHERE);
            SECRETS.put(OBJECT.digest().toString(), NOWHERE);
            SECRETS.put(client.image(image.digest()).plan(), NOWHERE);
            SECRETS.put(job.id(), "00000000-0000-0000-0000-000000000000");
            SECRETS.put(client.tokens().all().getFirst().id(), "0000000000000000");
        }
    }

    @AfterAll
    static void close() {
        HTTP.close();
    }

    private static String token(String tenant) throws IOException {
        try (ServiceClient operator =
                ServiceClient.actingFor(tenant, ServiceConfig.of(service.base(), Optional.of(TestService.TOKEN)))) {
            return operator.tokens()
                    .create(new TokenRequest("admin-of-" + tenant, List.of(Scope.ADMIN), null, null, false))
                    .token();
        }
    }

    private static ServiceClient with(String token) {
        return new ServiceClient(ServiceConfig.of(service.base(), Optional.of(token)));
    }

    private static JobInfo plan(ServiceClient client) throws IOException {
        client.register(new FunctionRequest(FUNCTION, image.reference(), null, null));
        JobInfo job = client.postTrace(TestService.trace(image.topChain(), 3));
        return Wait.value(() -> client.job(job.id()), TestService.isIn(JobInfo.State.DONE));
    }

    private static String secret(int number) {
        return List.copyOf(SECRETS.keySet()).get(number);
    }

    /** The path to what is the victim's; a pattern with a variable that is not known here fails. */
    private static String path(Endpoint endpoint) {
        String pattern = endpoint.pattern();
        String path = pattern.replace("{change:delete|retrace}", "delete")
                .replace("{digest}", pattern.startsWith("/v1/objects") ? secret(4) : secret(2))
                .replace("{chain}", secret(3))
                .replace("/**", "/nothing");
        if (pattern.contains("/nodes/")) {
            path = path.replace("{name}", NODE);
        } else if (pattern.contains("/functions/")) {
            path = path.replace("{name}", FUNCTION);
        } else if (pattern.contains("/runtimes/") || pattern.contains("/tenants/") || pattern.contains("/assets/")) {
            path = path.replace("{name}", "victim").replace("{hash}", "0");
        }
        if (pattern.contains("/tokens/")) {
            path = path.replace("{id}", secret(7));
        } else if (pattern.contains("/jobs/") || pattern.contains("/starts/")) {
            path = path.replace("{id}", secret(6));
        }
        assertThat(path).as("%s: say here what belongs to the victim", endpoint).doesNotContain("{");
        return path;
    }

    private static String absent(String text) {
        String absent = text;
        for (Map.Entry<String, String> secret : SECRETS.entrySet()) {
            absent = absent.replace(secret.getKey(), secret.getValue());
        }
        return absent;
    }

    @Test
    void whatBelongsToAnotherTenantAnswersAsWhatIsNowhere() throws Exception {
        for (Endpoint endpoint : service.part(EndpointTable.class).all().keySet()) {
            if (!endpoint.pattern().startsWith("/v1/") || endpoint.pattern().endsWith("/stream")) {
                continue;
            }
            for (String body : bodies(endpoint)) {
                String there = call(endpoint, path(endpoint), body);
                String nowhere = call(endpoint, absent(path(endpoint)), absent(body));
                assertThat(absent(there)).as("%s with %s", endpoint, body).isEqualTo(nowhere);
                SECRETS.keySet().stream()
                        .filter(secret -> !path(endpoint).contains(secret) && !body.contains(secret))
                        .forEach(secret -> assertThat(there)
                                .as("%s with %s", endpoint, body)
                                .doesNotContain(secret));
                assertThat(there).as("%s", endpoint).doesNotContain(EVENT);
            }
        }
        try (ServiceClient client = with(victim)) {
            assertThat(client.function(FUNCTION).state()).isEqualTo(ImageState.PLANNED);
            assertThat(client.tokens().all()).allMatch(token -> token.revoked() == null);
            assertThat(client.nodes()).hasSize(1);
        }
    }

    private static List<String> bodies(Endpoint endpoint) {
        return switch (endpoint.pattern()) {
            case "/v1/bundles" ->
                List.of(
                        "{\"chain\":\"" + secret(3) + "\",\"planWanted\":true}",
                        "{\"image\":\"" + secret(2) + "\",\"planWanted\":true}",
                        "{\"plan\":\"" + secret(5) + "\",\"planWanted\":true}");
            case "/v1/starts/profiles", "/v1/profiles/imported", "/v1/functions", "/v1/tokens", "/v1/tenants" ->
                List.of("[1");
            default -> List.of("{}");
        };
    }

    /** Status, type and body. */
    private static String call(Endpoint endpoint, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.base().resolve(path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + attacker)
                .header("Content-Type", type(endpoint))
                .method(
                        endpoint.method(),
                        endpoint.method().equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
        return answer.statusCode() + " "
                + answer.headers().firstValue("Content-Type").orElse("") + " "
                + answer.body().replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME");
    }

    private static String type(Endpoint endpoint) {
        return Set.of("/v1/traces", "/v1/nodes/{name}/caches").contains(endpoint.pattern())
                ? "application/octet-stream"
                : "application/json";
    }

    @Test
    void aTraceOfAnotherTenantsLayersIsOfNothing() throws Exception {
        try (ServiceClient client = with(attacker)) {
            assertThatThrownBy(() -> client.postTrace(TestService.trace(image.topChain(), 3)))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.status()).isEqualTo(404));
        }
    }

    @Test
    void pagesShowNothingOfAnotherTenant() throws Exception {
        try (Browser browser = new Browser(service)) {
            assertThat(browser.signIn(attacker).statusCode()).isEqualTo(303);
            for (Endpoint endpoint : service.part(EndpointTable.class).all().keySet()) {
                if (endpoint.method().equals("GET")
                        && endpoint.pattern().startsWith("/ui")
                        && !endpoint.pattern().endsWith("/stream")
                        && !endpoint.pattern().contains("assets")) {
                    String path = path(endpoint);
                    HttpResponse<String> there = browser.get(path);
                    assertThat(there.statusCode())
                            .as("%s", endpoint)
                            .isEqualTo(browser.get(absent(path)).statusCode());
                    String page = there.body().replace(path, "");
                    SECRETS.keySet().stream()
                            .filter(secret -> !path.contains(secret))
                            .forEach(secret ->
                                    assertThat(page).as("%s", endpoint).doesNotContain(secret));
                    assertThat(page).as("%s", endpoint).doesNotContain(EVENT);
                }
            }
        }
    }

    @Test
    void onlyOperatorsActForAnotherTenant() throws Exception {
        assertThat(functions(TestService.TOKEN, "victim")).contains(FUNCTION);
        assertThat(functions(TestService.TOKEN, "default")).doesNotContain(FUNCTION);
        String refused = functions(attacker, "victim");
        assertThat(refused).startsWith("403").contains("cannot act for another");
        assertThat(functions(attacker, "absent")).isEqualTo(refused);
    }

    private static String functions(String token, String tenant) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(service.base().resolve("/v1/functions"))
                .header("Authorization", "Bearer " + token)
                .header(TenantRequest.HEADER, tenant)
                .build();
        HttpResponse<InputStream> answer = HTTP.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            return answer.statusCode() + new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The same image, function and node in another tenant: nothing is there before, and each has what it stored. */
    @Test
    void theSameImageIsRefactoredAndStoredAnew() throws Exception {
        service.client().tenants().create(new TenantRequest("third", null));
        String third = token("third");
        try (ServiceClient client = with(third)) {
            client.register(new FunctionRequest(FUNCTION, image.reference(), null, null));
            assertThat(client.function(FUNCTION).state()).isEqualTo(ImageState.UNTRACED);
            client.deleteFunction(FUNCTION, true);
            plan(client);
            assertThat(stored("third")).isEqualTo(stored("victim")).isPositive();
            client.deleteFunction(FUNCTION, true);
        }
        service.client().tenants().delete("third");
        assertThat(functions(third, "third")).startsWith("401");
        try (ServiceClient client = with(victim)) {
            assertThat(client.function(FUNCTION).state()).isEqualTo(ImageState.PLANNED);
        }
    }

    /** As after a removal whose second half failed, with a service that still has the tenant in mind. */
    @Test
    void aNewTenantGetsNothingOfAnEarlierOneOfItsName() throws Exception {
        service.client().tenants().create(new TenantRequest("again", null));
        try (ServiceClient client = with(token("again"))) {
            client.register(new FunctionRequest(FUNCTION, image.reference(), null, null));
        }
        assertThat(functions(TestService.TOKEN, "again")).contains(FUNCTION);
        service.part(JdbcClient.class)
                .sql("DELETE FROM tenants WHERE name = 'again'")
                .update();
        service.client().tenants().create(new TenantRequest("again", null));
        assertThat(functions(TestService.TOKEN, "again")).startsWith("200").doesNotContain(FUNCTION);
    }

    @Test
    void aTenantWhoseTablesCannotBeMadeIsNotAbsent() throws Exception {
        JdbcClient jdbc = service.part(JdbcClient.class);
        String schema = jdbc.sql("SELECT current_schema").query(String.class).single() + "_tenant_broken";
        jdbc.sql("CREATE SCHEMA \"" + schema + "\"").update();
        jdbc.sql("CREATE TABLE \"" + schema + "\".functions (other INT)").update();
        jdbc.sql("INSERT INTO tenants (name, created) VALUES ('broken', CURRENT_TIMESTAMP)")
                .update();
        try {
            // Has the list read.
            service.client().tenants().create(new TenantRequest("reader", null));
            assertThat(functions(TestService.TOKEN, "broken")).startsWith("503").contains("cannot be served yet");
            assertThat(functions(TestService.TOKEN, "absent")).startsWith("404");
        } finally {
            jdbc.sql("DELETE FROM tenants WHERE name = 'broken'").update();
        }
    }

    private static long stored(String tenant) {
        return TenantScope.call(
                new TenantName(tenant), () -> service.part(Quotas.class).storedBytes());
    }

    @Test
    void aQuotaIsNamedWithItsRemedy() throws Exception {
        service.client().tenants().create(new TenantRequest("small", new TenantQuotas(0, null, null, null)));
        try (ServiceClient client = with(token("small"))) {
            assertThatThrownBy(() -> client.register(new FunctionRequest("one", image.reference(), null, null)))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.status()).isEqualTo(403))
                    .hasMessageContaining("the quota 'functions' of tenant 'small' is 0")
                    .hasMessageContaining("faasimage tenant set small --functions N");
        }
    }
}
