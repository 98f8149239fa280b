package io.faasimage.node.link.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.rest.Json;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.event.Events;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeIdentityTest {
    private static final String ENROLMENT = "fsi_00000000000000aa_" + "1".repeat(64);

    @TempDir
    Path dir;

    private final Events events = new Events(50, InstantSource.system(), Events.Log.NONE);
    /** Path and token of each request, and the hash that it sent. */
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final List<String> hashes = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    /** The token of this identity is answered with 401. */
    private volatile String revoked = "none";

    private volatile Duration life = Duration.ofDays(30);
    private final LoopbackServer server = new LoopbackServer().on("/v1/nodes/", this::answer);

    @BeforeEach
    void start() throws IOException {
        Files.writeString(dir.resolve("enrol"), ENROLMENT + "\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        NodeKey key = Json.mapper().readValue(exchange.getRequestBody().readAllBytes(), NodeKey.class);
        requests.add(exchange.getRequestURI().getPath() + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
        hashes.add(key.hash());
        Instant now = Instant.now();
        String id = "%016x".formatted(hashes.size());
        List<Scope> scopes = List.of(Scope.NODE);
        TokenInfo info = new TokenInfo(id, "n1", TokenKind.NODE, scopes, "n1", now, now.plus(life), null, null);
        int answer = requests.getLast().endsWith(revoked) ? 401 : status;
        LoopbackServer.send(
                exchange,
                answer,
                answer == 200 ? Json.mapper().writeValueAsString(info) : "{\"detail\":\"not valid\"}");
    }

    private NodeIdentity identity(String node) throws IOException {
        return new NodeIdentity(
                node,
                dir.resolve("enrol"),
                dir.resolve("identity"),
                token -> new ServiceClient(ServiceConfig.of(server.address(), Optional.of(token))),
                events,
                InstantSource.system());
    }

    private static String hash(String token) {
        String secret = token.substring(token.lastIndexOf('_') + 1);
        return Digest.of(secret.getBytes(StandardCharsets.US_ASCII)).toString();
    }

    @Test
    void enrolsOnceAndKeepsTheIdentityForRootAlone() throws IOException {
        String token;
        try (NodeIdentity identity = identity("n1").start()) {
            token = identity.get().orElseThrow();
        }
        assertThat(requests).containsExactly("/v1/nodes/n1/enrol Bearer " + ENROLMENT);
        assertThat(hashes).containsExactly(hash(token));
        assertThat(token).startsWith("fsi_0000000000000001_");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("identity"))))
                .isEqualTo("rw-------");
        assertThat(Files.readAllLines(dir.resolve("identity")).getFirst()).isEqualTo(token);
        assertThat(dir.resolve("identity.next")).doesNotExist();
        Files.delete(dir.resolve("enrol"));
        try (NodeIdentity again = identity("n1").start()) {
            assertThat(again.get()).contains(token);
        }
        assertThat(requests).hasSize(1);
    }

    @Test
    void renewsItselfWellBeforeItsEnd() throws IOException {
        life = Duration.ofSeconds(2);
        try (NodeIdentity identity = identity("n1").start()) {
            String first = identity.get().orElseThrow();
            Wait.until("two requests", () -> requests.size() > 1);
            assertThat(requests.get(1)).isEqualTo("/v1/nodes/n1/renew Bearer " + first);
            Wait.until("another identity", () -> !identity.get().orElseThrow().equals(first));
            String second = identity.get().orElseThrow();
            assertThat(hashes.get(1)).isEqualTo(hash(second)).isNotEqualTo(hashes.getFirst());
        }
    }

    @Test
    void anEnrolmentThatFailsIsRepeatedWithTheSameSecret() throws IOException {
        status = 503;
        try (NodeIdentity identity = identity("n1").start()) {
            assertThat(identity.get()).isEmpty();
            assertThat(dir.resolve("identity")).isEmptyFile();
            Wait.until("three requests", () -> requests.size() > 2);
            assertThat(events.recent())
                    .extracting(Event::text)
                    .as("the reason once, however often it is met")
                    .singleElement()
                    .asString()
                    .startsWith("could not enrol this node: not valid");
            status = 200;
            Wait.until("the enrolment's end", () -> events.recent().size() > 1);
            assertThat(events.recent()).extracting(Event::text).contains("enrolled as node n1");
            assertThat(hashes).containsOnly(hash(identity.get().orElseThrow()));
        }
    }

    @Test
    void anotherEnrolmentTokenEnrolsAgain() throws IOException {
        try (NodeIdentity identity = identity("n1").start()) {
            assertThat(identity.get()).isPresent();
        }
        String next = "fsi_00000000000000bb_" + "2".repeat(64);
        Files.writeString(dir.resolve("enrol"), next);
        try (NodeIdentity identity = identity("n1").start()) {
            assertThat(requests).hasSize(2).last().isEqualTo("/v1/nodes/n1/enrol Bearer " + next);
            assertThat(identity.get().orElseThrow()).startsWith("fsi_0000000000000002_");
        }
    }

    @Test
    void aServiceAccountsTokenEnrolsOnceAndAgainWhenTheIdentityHasEnded() throws IOException {
        Files.writeString(dir.resolve("enrol"), "eyJh.eyJp.c2ln");
        life = Duration.ofSeconds(2);
        try (NodeIdentity identity = identity("n1").start()) {
            String first = identity.get().orElseThrow();
            // Kubernetes replaces the token: no reason to enrol.
            Files.writeString(dir.resolve("enrol"), "eyJh.eyJq.c2ln");
            revoked = first;
            Wait.until("another identity", () -> !identity.get().orElseThrow().equals(first));
        }
        assertThat(requests.getFirst()).isEqualTo("/v1/nodes/n1/enrol Bearer eyJh.eyJp.c2ln");
        assertThat(requests.get(1)).startsWith("/v1/nodes/n1/renew Bearer fsi_0000000000000001_");
        assertThat(requests.get(2)).isEqualTo("/v1/nodes/n1/enrol Bearer eyJh.eyJq.c2ln");
    }

    @Test
    void anotherNodesIdentityAndAMissingTokenEndTheStart() throws IOException {
        try (NodeIdentity identity = identity("n1").start()) {
            assertThat(identity.get()).isPresent();
        }
        assertThatThrownBy(() -> identity("n2"))
                .hasMessageContaining("node 'n1'")
                .hasMessageContaining("--node-name");
        Files.delete(dir.resolve("identity"));
        Files.delete(dir.resolve("enrol"));
        assertThatThrownBy(() -> identity("n1")).hasMessageContaining("faasimage token create n1 --enrol");
    }
}
