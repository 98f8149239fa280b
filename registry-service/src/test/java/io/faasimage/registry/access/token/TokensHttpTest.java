package io.faasimage.registry.access.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.identity.TestIssuer;
import io.faasimage.registry.access.identity.TokenUses;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The life of tokens, and of the identities of nodes. */
@Timeout(60)
class TokensHttpTest extends ServiceTest {
    private static final String SECRET = "5".repeat(64);

    private static final String ACCOUNT = "system:serviceaccount:faasimage:node";
    private static TestIssuer cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = new TestIssuer();
        service = TestService.start(
                data,
                "--faasimage.service-accounts.issuer=" + cluster.issuer(),
                "--faasimage.service-accounts.subjects[" + ACCOUNT + "]=node");
    }

    @AfterAll
    static void stopIssuer() {
        cluster.close();
    }

    @Test
    void aServiceAccountEnrolsTheNodeOfItsPodAndNoOther() throws Exception {
        String token = cluster.sign(cluster.claims(ACCOUNT, "faasimage", Instant.now())
                .claim("kubernetes.io", Map.of("node", Map.of("name", "pod-node")))
                .build());
        TokenInfo identity = enrol("pod-node", token, SECRET);
        assertThat(enrol("pod-node", token, SECRET).id()).isEqualTo(identity.id());
        assertThat(identity.node()).isEqualTo("pod-node");
        assertThat(status(text(identity, SECRET))).isEqualTo(200);
        assertThat(status(token)).isEqualTo(403);
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> enrol("other-node", token, SECRET))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(403));
        service.client().tokens().revoke(identity.id());
        assertThat(enrol("pod-node", token, SECRET).id()).isNotEqualTo(identity.id());
        assertThat(service.client()
                        .audit()
                        .list(Map.of("object", "pod-node", "action", "node.enrol"))
                        .items())
                .extracting(AuditRecord::actor)
                .containsOnly("account " + ACCOUNT);
    }

    private static NewToken create(String name, Scope... scopes) throws IOException {
        return service.client().tokens().create(new TokenRequest(name, List.of(scopes), null, null, false));
    }

    private static TokenInfo listed(String id) throws IOException {
        return service.client().tokens().all().stream()
                .filter(token -> token.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static HttpResponse<byte[]> ask(String path, String token) throws IOException, InterruptedException {
        return service.send(
                HttpRequest.newBuilder(service.base().resolve(path)).header("Authorization", "Bearer " + token));
    }

    private static int status(String token) throws IOException, InterruptedException {
        return ask("/v1/catalogue", token).statusCode();
    }

    private static ServiceClient with(String token) {
        return new ServiceClient(ServiceConfig.of(service.base(), Optional.of(token)));
    }

    private static NodeKey key(String secret) {
        return new NodeKey(Digest.of(secret.getBytes(StandardCharsets.US_ASCII)).toString());
    }

    private static TokenInfo enrol(String node, String enrolment, String secret) throws IOException {
        try (ServiceClient client = with(enrolment)) {
            return client.tokens().enrol(node, key(secret));
        }
    }

    private static TokenInfo renew(String node, String identity, String secret) throws IOException {
        try (ServiceClient client = with(identity)) {
            return client.tokens().renew(node, key(secret));
        }
    }

    private static String text(TokenInfo identity, String secret) {
        return "fsi_" + identity.id() + "_" + secret;
    }

    @Test
    void aTokenIsStoredAsAHashAndAcceptedUntilItIsRevoked() throws Exception {
        NewToken created = create("ci", Scope.VIEW, Scope.DEPLOY);
        assertThat(created.token()).matches("fsi_" + created.info().id() + "_[0-9a-f]{64}");
        assertThat(created.toString()).doesNotContain(created.token());
        assertThat(listed(created.info().id())).isEqualTo(created.info());
        assertThat(created.info().scopes()).containsExactly(Scope.DEPLOY, Scope.VIEW);
        byte[] stored = service.part(JdbcClient.class)
                .sql("SELECT hash FROM tokens WHERE id = ?")
                .param(created.info().id())
                .query(byte[].class)
                .single();
        String secret = created.token().substring(created.token().lastIndexOf('_') + 1);
        assertThat(Digest.ofBytes(stored)).isEqualTo(Digest.of(secret.getBytes(StandardCharsets.US_ASCII)));
        assertThat(status(created.token())).isEqualTo(200);
        service.client().tokens().revoke(created.info().id());
        HttpResponse<byte[]> refused = ask("/v1/functions", created.token());
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                .contains("(ci) was revoked on")
                .doesNotContain(secret);
        assertThat(listed(created.info().id()).revoked()).isNotNull();
    }

    @Test
    void twoTokensOfOneNameAreARotation() throws Exception {
        NewToken first = create("adapter", Scope.DEPLOY);
        NewToken second = create("adapter", Scope.DEPLOY);
        assertThat(status(first.token())).isEqualTo(200);
        assertThat(status(second.token())).isEqualTo(200);
        service.client().tokens().revoke(first.info().id());
        assertThat(status(first.token())).isEqualTo(401);
        assertThat(status(second.token())).isEqualTo(200);
    }

    @Test
    void aRevocationAtAnotherServiceCountsWithinFiveSeconds() throws Exception {
        NewToken created = create("elsewhere", Scope.VIEW);
        assertThat(status(created.token())).isEqualTo(200);
        service.part(JdbcClient.class)
                .sql("UPDATE tokens SET revoked = ? WHERE id = ?")
                .params(OffsetDateTime.now(ZoneOffset.UTC), created.info().id())
                .update();
        Wait.until(Duration.ofSeconds(5), "the refusal", () -> status(created.token()) == 401);
    }

    @Test
    void aTokenExpires() throws Exception {
        NewToken created =
                service.client().tokens().create(new TokenRequest("brief", List.of(Scope.VIEW), 1L, null, false));
        Wait.until(Duration.ofSeconds(20), "the refusal", () -> status(created.token()) == 401);
        assertThat(Instant.now()).isAfterOrEqualTo(created.info().expires());
        assertThat(new String(ask("/v1/functions", created.token()).body(), StandardCharsets.UTF_8))
                .contains("has expired on");
    }

    @Test
    void whatIsNotRightOfATokenIsRefused() throws Exception {
        NewToken created = create("whole", Scope.VIEW);
        String wrong = created.token().substring(0, created.token().length() - 1)
                + (created.token().endsWith("0") ? "1" : "0");
        assertThat(status(wrong)).isEqualTo(401);
        assertThat(status(created.token() + "0")).isEqualTo(401);
        assertThat(status(created.token())).isEqualTo(200);
        for (String body : List.of(
                "{}",
                "{\"name\":\"x\"}",
                "{\"name\":\"x\",\"scopes\":[\"none\"]}",
                "{\"name\":\"a b\",\"scopes\":[\"view\"]}",
                "{\"name\":\"x\",\"scopes\":[\"view\"],\"expiresIn\":0}",
                "{\"name\":\"x\",\"scopes\":[\"admin\",\"node\"],\"node\":\"n\"}",
                "{\"name\":\"x\",\"scopes\":[\"view\"],\"enrol\":true}",
                "{\"name\":\"x\",\"enrol\":true,\"expiresIn\":9999999}")) {
            HttpResponse<byte[]> refused = service.send(service.request("/v1/tokens")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
            assertThat(refused.statusCode()).as(body).isEqualTo(400);
        }
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> service.client().tokens().revoke("0000000000000000"))
                .matches(ServiceException::notFound);
    }

    @Test
    void theLastUseIsRecordedBesideTheRequests() throws Exception {
        NewToken created = create("used", Scope.VIEW);
        assertThat(status(created.token())).isEqualTo(200);
        assertThat(listed(created.info().id()).used()).isNull();
        service.part(TokenUses.class).write();
        Instant used = listed(created.info().id()).used();
        assertThat(used).isNotNull().isBeforeOrEqualTo(Instant.now());
        assertThat(status(created.token())).isEqualTo(200);
        service.part(TokenUses.class).write();
        assertThat(listed(created.info().id()).used()).isEqualTo(used);
    }

    @Test
    void anEnrolmentIsExchangedOnceForAnIdentity() throws Exception {
        NewToken enrolment = service.client().tokens().create(TokenRequest.enrolment("node-1", null));
        assertThat(enrolment.info().kind()).isEqualTo(TokenKind.ENROLMENT);
        assertThat(Duration.between(enrolment.info().created(), enrolment.info().expires()))
                .isEqualTo(Duration.ofHours(1));
        assertThat(status(enrolment.token())).isEqualTo(403);
        TokenInfo identity = enrol("node-1", enrolment.token(), SECRET);
        assertThat(identity.kind()).isEqualTo(TokenKind.NODE);
        assertThat(identity.node()).isEqualTo("node-1");
        assertThat(Duration.between(identity.created(), identity.expires())).isEqualTo(Duration.ofDays(30));
        assertThat(status(text(identity, SECRET))).isEqualTo(200);
        // The answer was lost.
        assertThat(enrol("node-1", enrolment.token(), SECRET).id()).isEqualTo(identity.id());
        assertThat(listed(enrolment.info().id()).expires())
                .isBefore(identity.created().plus(Duration.ofMinutes(6)));
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> enrol("node-1", enrolment.token(), "6".repeat(64)))
                .matches(refused -> refused.status() == 401)
                .withMessageContaining("already exchanged");
    }

    @Test
    void aRenewedIdentityEndsWhenTheNewOneIsUsed() throws Exception {
        NewToken enrolment = service.client().tokens().create(TokenRequest.enrolment("node-3", null));
        TokenInfo first = enrol("node-3", enrolment.token(), SECRET);
        String old = text(first, SECRET);
        String secret = "7".repeat(64);
        TokenInfo second = renew("node-3", old, secret);
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(renew("node-3", old, secret).id()).isEqualTo(second.id());
        service.part(TokenUses.class).write();
        assertThat(listed(first.id()).revoked()).isNull();
        assertThat(status(text(second, secret))).isEqualTo(200);
        service.part(TokenUses.class).write();
        assertThat(listed(first.id()).revoked()).isNotNull();
        assertThat(listed(second.id()).revoked()).isNull();
    }

    @Test
    void oneNodeIsRevokedAlone() throws Exception {
        NewToken enrolment = service.client().tokens().create(TokenRequest.enrolment("lost", null));
        TokenInfo first = enrol("lost", enrolment.token(), SECRET);
        TokenInfo renewed = renew("lost", text(first, SECRET), "8".repeat(64));
        NewToken other = service.client().tokens().create(TokenRequest.enrolment("kept", null));
        TokenInfo kept = enrol("kept", other.token(), SECRET);
        service.client().tokens().revoke(first.id());
        assertThat(status(text(first, SECRET))).isEqualTo(401);
        assertThat(status(text(renewed, "8".repeat(64)))).isEqualTo(401);
        assertThat(status(text(kept, SECRET))).isEqualTo(200);
        assertThatExceptionOfType(ServiceException.class)
                .isThrownBy(() -> renew("lost", text(renewed, "8".repeat(64)), SECRET))
                .matches(refused -> refused.status() == 401);
    }
}
