package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.node.NodeReport.NodeEvent;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.access.identity.TokenUses;
import io.faasimage.registry.access.page.Browser;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.store.bundle.BundleFrames;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL of every table once on PostgreSQL. Jobs, locks, garbage, starts and feedback, where the databases differ,
 * have their whole suites there.
 */
@Timeout(120)
@ExtendWith(OnPostgres.class)
class TablesOnPostgresIT extends ServiceTest {
    private static final List<TestContent> CONTENT = List.of(
            TestContent.of(1, 4_000, Segment.BASE, true),
            TestContent.of(2, 9_000, Segment.LIB, true),
            TestContent.of(3, 2_000, Segment.FUNC, false));

    @BeforeAll
    static void start() {
        service = TestService.plain(data);
    }

    private static void assertAnswers(String... paths) throws Exception {
        for (String path : paths) {
            assertThat(service.send(service.request(path)).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void functionsImagesTracesPlansObjectsAndTheirViews() throws Exception {
        RegisteredImage image = service.images().push("registry.test/tables:1", "os", "tables");
        service.refactoring().content(image, CONTENT);
        FunctionRequest request = new FunctionRequest("tables", image.reference(), null, null);
        service.client().register(request);
        service.client().register(request);
        trace(image);
        Digest plan = Digest.parse(
                String.valueOf(service.client().image(image.digest()).plan()));
        RegisteredImage other = service.images().push(1, "registry.test/tables:2", "os", "tables-2");
        service.client().register(new FunctionRequest("unplanned", other.reference(), null, null));
        assertThat(BundleFrames.objects(BundleFrames.read(service, discovery(image, List.of()))))
                .containsExactly(CONTENT.get(0).digest(), CONTENT.get(1).digest());
        assertThat(BundleFrames.objects(BundleFrames.read(service, discovery(image, List.of(plan, image.digest())))))
                .isEmpty();
        assertThat(BundleFrames.read(
                        service,
                        new BundleRequest(
                                null,
                                other.digest().toString(),
                                null,
                                List.of(),
                                true,
                                true,
                                null,
                                List.of(),
                                null,
                                Prefix.CHAINS,
                                null,
                                0)))
                .hasSize(2);
        service.client().pin("tables");
        service.refactoring().content(image, CONTENT.subList(0, 2));
        trace(image);
        assertThat(service.client().planVersions(image.digest())).hasSize(2);
        String digest = image.digest().toString();
        assertAnswers(
                "/v1/catalogue",
                "/v1/images",
                "/v1/images/" + digest,
                "/v1/images/" + digest + "/trace",
                "/v1/images/" + digest + "/plans",
                "/v1/chains/" + image.topChain(),
                "/v1/objects/" + CONTENT.getFirst().digest().hex(),
                "/v1/runtimes/" + TestRefactoring.RUNTIME,
                "/v1/views/functions?q=table&state=PLANNED",
                "/v1/views/functions/tables",
                "/v1/views/libraries?q=flask",
                "/v1/views/jobs",
                "/v1/overview",
                "/v1/plan-keys");
        try (Browser browser = new Browser(service)) {
            browser.signIn(TestService.TOKEN);
            for (String path : List.of("", "/functions?q=t&page=1", "/functions/tables", "/libraries", "/jobs")) {
                assertThat(browser.get("/ui" + path).statusCode()).as(path).isEqualTo(200);
            }
        }
        assertThat(service.client().unpin("tables").pinned()).isNull();
        service.client().replace(new FunctionRequest("tables", other.reference(), null, null));
        service.client().register(new FunctionRequest("again", image.reference(), null, null));
        assertThat(service.send(service.request("/v1/images/" + digest + "/trace")
                                .DELETE())
                        .statusCode())
                .isEqualTo(204);
        for (String name : List.of("again", "tables", "unplanned")) {
            service.client().deleteFunction(name, true);
        }
        assertThat(service.client().images()).isEmpty();
    }

    private static void trace(RegisteredImage image) throws Exception {
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 3))
                .id());
        assertThat(service.client().image(image.digest()).error()).isNull();
    }

    private static BundleRequest discovery(RegisteredImage image, List<Digest> held) {
        return BundleRequest.discovery(image.topChain(), Set.of(Segment.values()), held, null, Prefix.NEWEST);
    }

    @Test
    void eventsOfANodeAreStoredOnceAndFiltered() throws Exception {
        NodeEvent first = new NodeEvent(1, Instant.now(), EventInfo.Severity.INFO, "pull", "one");
        NodeEvent second = new NodeEvent(2, Instant.now(), EventInfo.Severity.ERROR, "pull", "two");
        report(first);
        report(first, second);
        Map<String, String> filter = Map.of("subject", "n", "source", "node", "limit", "1");
        assertThat(service.client().events(filter).items())
                .extracting(EventInfo::text)
                .containsExactly("two");
        assertThat(service.client().events(Map.of("subject", "n")).items()).hasSize(2);
        assertThat(service.client()
                        .events(Map.of("severity", "error", "subject", "n"))
                        .items())
                .hasSize(1);
        assertAnswers("/v1/nodes/n", "/v1/nodes");
    }

    private static void report(NodeEvent... events) throws Exception {
        NodeReport report = new NodeReport(
                "a",
                "1",
                Instant.now(),
                null,
                null,
                new NodeReport.Store(0, 0, null),
                0,
                0,
                0,
                0,
                Map.of(),
                0,
                0,
                List.of(events));
        service.client().putNode("n", report);
    }

    private static ServiceClient with(String token) {
        return new ServiceClient(ServiceConfig.of(service.base(), Optional.of(token)));
    }

    @Test
    void tokensAreCreatedUsedExchangedRenewedAndRevoked() throws Exception {
        NewToken viewer =
                service.client().tokens().create(new TokenRequest("viewer", List.of(Scope.VIEW), 3600L, null, false));
        try (ServiceClient client = with(viewer.token())) {
            assertThat(client.functions()).isNotNull();
        }
        NewToken enrolment = service.client().tokens().create(TokenRequest.enrolment("node-1", null));
        TokenInfo identity;
        try (ServiceClient client = with(enrolment.token())) {
            identity = client.tokens().enrol("node-1", key("5"));
            assertThat(client.tokens().enrol("node-1", key("5"))).isEqualTo(identity);
        }
        TokenInfo renewed;
        try (ServiceClient client = with("fsi_" + identity.id() + "_" + "5".repeat(64))) {
            renewed = client.tokens().renew("node-1", key("6"));
        }
        try (ServiceClient client = with("fsi_" + renewed.id() + "_" + "6".repeat(64))) {
            assertThat(client.catalogue(Optional.empty())).isPresent();
        }
        service.part(TokenUses.class).write();
        service.client().tokens().revoke(viewer.info().id());
        List<TokenInfo> all = service.client().tokens().all();
        assertThat(all).filteredOn(token -> token.used() != null).hasSizeGreaterThanOrEqualTo(2);
        assertThat(all)
                .filteredOn(token -> token.revoked() != null)
                .extracting(TokenInfo::id)
                .contains(viewer.info().id(), identity.id());
    }

    private static NodeKey key(String digit) {
        return new NodeKey(
                Digest.of(digit.repeat(64).getBytes(StandardCharsets.US_ASCII)).toString());
    }

    @Test
    void auditRecordsAreFilteredExportedForgottenByAgeAndNeverChanged() throws Exception {
        AuditLog log = service.part(AuditLog.class);
        log.add(AuditAction.NODE_RENEW, "kept", Map.of("number", 1), null);
        Map<String, String> filter =
                Map.of("object", "KEPT", "actor", "service", "action", "node", "from", "2020-01-01T00:00:00Z");
        assertThat(service.client().audit().list(filter).items())
                .extracting(AuditRecord::object)
                .containsExactly("kept");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        service.client().audit().export(Map.of("object", "kept"), out);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"kept\"");
        JdbcClient database = service.part(JdbcClient.class);
        for (String change : List.of("UPDATE audit_log SET actor = 'nobody'", "TRUNCATE audit_log")) {
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> database.sql(change).update())
                    .withMessageContaining("append-only");
        }
        database.sql("INSERT INTO audit_log (happened, actor, name, address, action, object, request)"
                        + " VALUES (CURRENT_TIMESTAMP - INTERVAL '401' DAY, 'a', 'a', '', 'node.renew', 'ancient', '')")
                .update();
        log.forget(Duration.ofDays(400));
        assertThat(service.client().audit().list(Map.of("object", "ancient")).items())
                .isEmpty();
        assertThatThrownBy(() -> service.client().pin("nobody")).hasMessageContaining("nobody");
    }

    @Test
    void profilesAreReplacedAndMerged() throws Exception {
        ProfileInfo profile = new ProfileInfo("python", "flask", "3.1.0", 2, 1, List.of());
        service.client().profiles().replaceImported(List.of(profile));
        service.client().profiles().replaceImported(List.of(profile));
        assertThat(service.client().profiles().of("flask")).hasSize(1);
        assertThat(service.client().profiles().all()).hasSize(1);
    }
}
