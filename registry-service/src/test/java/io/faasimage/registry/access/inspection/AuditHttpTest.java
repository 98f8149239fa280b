package io.faasimage.registry.access.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Page;
import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.Tokens;
import io.faasimage.registry.access.page.Browser;
import io.faasimage.registry.platform.audit.Actor;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.AuditQuery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** Tests of the audit log's records, and of who may read them. */
class AuditHttpTest extends ServiceTest {
    @BeforeAll
    static void start() {
        service = TestService.start(data, "--server.forward-headers-strategy=native", "--faasimage.pages.attempts=50");
    }

    private static List<AuditRecord> records(String... filters) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < filters.length; i += 2) {
            all.put(filters[i], filters[i + 1]);
        }
        return service.client().audit().list(all).items();
    }

    private static NewToken token(String name, Scope... scopes) throws IOException {
        return service.client().tokens().create(new TokenRequest(name, List.of(scopes), null, null, false));
    }

    private static ServiceClient with(NewToken token) {
        return new ServiceClient(ServiceConfig.of(service.base(), Optional.of(token.token())));
    }

    @Test
    void aRecordSaysWhoDidWhatToWhatAndWhatWasBefore() throws Exception {
        service.images().push("registry.test/audited:1", "one");
        service.images().push("registry.test/audited:2", "two");
        NewToken pipeline = token("pipeline", Scope.DEPLOY);
        try (ServiceClient deployer = with(pipeline)) {
            deployer.register(new FunctionRequest("audited", "registry.test/audited:1", null, null));
            deployer.replace(new FunctionRequest("audited", "registry.test/audited:2", null, null));
            deployer.deleteFunction("audited", false);
        }
        List<AuditRecord> records = records("object", "AUDITED", "action", "function");
        assertThat(records)
                .extracting(AuditRecord::action)
                .containsExactly("function.delete", "function.replace", "function.register");
        assertThat(records).allSatisfy(record -> {
            assertThat(record.actor()).isEqualTo(pipeline.info().id());
            assertThat(record.name()).contains("pipeline");
            assertThat(record.at()).isBetween(Instant.now().minusSeconds(60), Instant.now());
        });
        assertThat(records.get(1).before()).containsEntry("image", "registry.test/audited:1");
        assertThat(records.get(1).after())
                .containsEntry("image", "registry.test/audited:2")
                .doesNotContainKey("pinned");
        assertThat(records.get(0).after()).containsEntry("imageRemoved", false);
        assertThat(records.get(2).before()).isNull();
        assertThat(records("actor", "pipeline", "object", "audited")).isEqualTo(records);
    }

    @Test
    void theAddressIsTheOneThatATrustedProxySays() throws Exception {
        service.images().push("registry.test/far:1", "far");
        byte[] body = Json.mapper().writeValueAsBytes(new FunctionRequest("far", "registry.test/far:1", null, null));
        assertThat(service.send(service.request("/v1/functions")
                                .header("Content-Type", "application/json")
                                .header("X-Forwarded-For", "203.0.113.9")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body)))
                        .statusCode())
                .isEqualTo(201);
        assertThat(records("object", "far"))
                .singleElement()
                .extracting(AuditRecord::address)
                .isEqualTo("203.0.113.9");
    }

    @Test
    void aChangeThatFailsLeavesNoRecordAndARecordThatFailsNoChange() {
        TransactionOperations transaction = service.part(TransactionOperations.class);
        AuditLog log = service.part(AuditLog.class);
        transaction.executeWithoutResult(status -> {
            log.add(AuditAction.FUNCTION_PIN, "undone", null, null);
            status.setRollbackOnly();
        });
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> service.client().pin("nobody"));
        service.part(JdbcClient.class)
                .sql("ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (name <> 'full')")
                .update();
        Actor full = new Actor("full", "full", "", "");
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> full.call(() -> service.part(Tokens.class)
                        .create(
                                new TokenRequest("unrecorded", List.of(Scope.VIEW), null, null, false),
                                Identity.ADMINISTRATOR)));
        assertThat(log.list(new AuditQuery(null, null, "undone", null, null), null, 10)
                        .items())
                .isEmpty();
        assertThat(service.part(Tokens.class).all())
                .noneMatch(token -> token.name().equals("unrecorded"));
    }

    @Test
    void refusalsAreRecordedOnceAndWithoutTheToken() throws Exception {
        NewToken viewer = token("curious", Scope.VIEW);
        NewToken old = token("old", Scope.VIEW);
        service.client().tokens().revoke(old.info().id());
        for (int i = 0; i < 3; i++) {
            for (String presented : List.of(viewer.token(), old.token(), "never-valid-" + i)) {
                service.send(HttpRequest.newBuilder(service.base().resolve("/v1/audit"))
                        .header("Authorization", "Bearer " + presented));
            }
            try (Browser browser = new Browser(service)) {
                browser.signIn("never-valid-either");
            }
        }
        assertThat(records("action", "refused", "actor", "curious"))
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.action()).isEqualTo("refused.access");
                    assertThat(record.object()).isEqualTo("GET /v1/audit");
                    assertThat(String.valueOf(record.after())).contains("requires the scope 'admin'");
                });
        assertThat(records("action", "refused.token"))
                .extracting(AuditRecord::actor)
                .contains("unknown", old.info().id())
                .doesNotHaveDuplicates();
        assertThat(records("action", "refused.sign-in")).hasSize(1);
        assertThat(records("limit", "500").toString())
                .doesNotContain("never-valid", viewer.token(), old.token(), TestService.TOKEN);
    }

    @Test
    void theListHasPagesAndTheExportHasEverything() throws Exception {
        AuditLog log = service.part(AuditLog.class);
        for (int i = 0; i < 1_203; i++) {
            log.add(AuditAction.NODE_RENEW, "exported-" + i, null, Map.of("number", i));
        }
        Map<String, String> filters = new LinkedHashMap<>(Map.of("object", "exported-", "limit", "500"));
        int listed = 0;
        Page<AuditRecord> page;
        do {
            page = service.client().audit().list(filters);
            listed += page.items().size();
            filters.put("after", String.valueOf(page.next()));
        } while (page.next() != null);
        assertThat(listed).isEqualTo(1_203);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        service.client().audit().export(Map.of("object", "exported-"), out);
        List<AuditRecord> lines = out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Json.mapper().readValue(line, AuditRecord.class))
                .toList();
        assertThat(lines)
                .hasSize(1_203)
                .isSortedAccordingTo(Comparator.comparingLong(AuditRecord::id))
                .allSatisfy(record -> assertThat(record.name()).isEqualTo("the service itself"));
        assertThat(records("object", "exported-", "until", "2020-01-01T00:00:00Z"))
                .isEmpty();
        assertThat(records("object", "exported-", "from", "2020-01-01T00:00:00Z"))
                .hasSize(100);
    }

    @Test
    void wrongFiltersAreRefused() {
        for (Map<String, String> filter : List.of(
                Map.of("action", "nothing"),
                Map.of("from", "+1000000000-12-31T23:59:59Z"),
                Map.of("limit", "0"),
                Map.of("object", "x".repeat(300)))) {
            assertThatExceptionOfType(ServiceException.class)
                    .isThrownBy(() -> service.client().audit().list(filter))
                    .satisfies(refused -> assertThat(refused.status()).isEqualTo(400));
        }
    }

    @Test
    void theRecordsAreForgottenByAgeAlone() throws Exception {
        AuditLog log = service.part(AuditLog.class);
        log.add(AuditAction.NODE_RENEW, "aged", null, null);
        log.forget(Duration.ofDays(400));
        assertThat(records("object", "aged")).hasSize(1);
        service.part(JdbcClient.class)
                .sql("INSERT INTO audit_log (happened, actor, name, address, action, object, request)"
                        + " VALUES (?, 'a', 'a', '', 'node.renew', 'ancient', '')")
                .param(OffsetDateTime.now(ZoneOffset.UTC).minusDays(401))
                .update();
        assertThat(records("object", "ancient")).hasSize(1);
        log.forget(Duration.ofDays(400));
        assertThat(records("object", "ancient")).isEmpty();
    }

    @Test
    void thePageShowsItToAdministratorsOnly() throws Exception {
        token("shown-on-the-page", Scope.VIEW);
        try (Browser browser = new Browser(service)) {
            browser.signIn(TestService.TOKEN);
            assertThat(browser.get("/ui/audit?action=token.create&actor=service")
                            .body())
                    .contains("Audit log", "token.create", "shown-on-the-page", "127.0.0.1");
            assertThat(browser.get("/ui/audit?from=2020-01-01&until=2020-01-02").body())
                    .contains("Nothing matches the filter");
            assertThat(browser.get("/ui/audit?from=yesterday").statusCode()).isEqualTo(400);
            assertThat(browser.get("/ui/audit/export?action=token").body().lines())
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("{\"id\":") && line.contains("\"token."));
        }
        try (Browser browser = new Browser(service)) {
            browser.signIn(token("looks", Scope.VIEW).token());
            assertThat(browser.get("/ui/audit").statusCode()).isEqualTo(403);
            assertThat(browser.get("/ui").body()).doesNotContain("/ui/audit");
        }
    }
}
