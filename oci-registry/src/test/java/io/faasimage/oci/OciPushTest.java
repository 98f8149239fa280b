package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manifests that are pushed to registries, and deleted. */
@Timeout(60)
class OciPushTest {
    private static final byte[] MANIFEST = "{}".getBytes(StandardCharsets.UTF_8);
    private static final Digest DIGEST = Digest.of(MANIFEST);

    private ScriptedServer server;
    private OciRegistry registry;
    private OciPush push;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        registry = server.client(new TestClock());
        push = new OciPush(registry);
    }

    @AfterEach
    void stop() {
        registry.close();
        server.close();
    }

    @Test
    void aManifestTellsWhetherItsSubjectIsKnown() throws Exception {
        List<String> types = new CopyOnWriteArrayList<>();
        List<String> bodies = new CopyOnWriteArrayList<>();
        server.handler = exchange -> {
            types.add(exchange.getRequestHeaders().getFirst("Content-Type"));
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            boolean tagged = exchange.getRequestURI().getPath().endsWith("/c");
            answer(exchange, 201, "", tagged ? "OCI-Subject" : "X", DIGEST.toString());
        };
        assertThat(push.manifest(server.image(), MANIFEST, OciRegistry.MANIFEST))
                .isTrue();
        ImageReference byDigest = server.image().at(DIGEST);
        assertThat(push.manifest(byDigest, MANIFEST, OciRegistry.INDEX)).isFalse();
        assertThat(server.requests).containsExactly("PUT /v2/a/b/manifests/c", "PUT /v2/a/b/manifests/" + DIGEST);
        assertThat(bodies).containsExactly("{}", "{}");
        assertThat(types).containsExactly(OciRegistry.MANIFEST, OciRegistry.INDEX);
    }

    @Test
    void aManifestIsTriedAgainAndBounded() throws Exception {
        server.handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, server.requests.size() == 1 ? 429 : 201, "");
        };
        assertThat(push.manifest(server.image(), MANIFEST, OciRegistry.MANIFEST))
                .isFalse();
        assertThat(server.requests).hasSize(2);
        byte[] large = new byte[OciRegistry.MAX_MANIFEST_BYTES + 1];
        fails(Kind.LIMIT, "registries take 4194304", () -> push.manifest(server.image(), large, "x/y"));
        server.handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, 404, "{\"errors\": [{\"code\": \"MANIFEST_BLOB_UNKNOWN\"}]}");
        };
        fails(
                Kind.INVALID,
                "could not push manifests/c of " + server.image() + ": the OCI registry answered 404",
                () -> push.manifest(server.image(), MANIFEST, OciRegistry.MANIFEST));
    }

    @Test
    void nothingIsWrittenWhereARegistryRedirects() {
        server.handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, 308, "", "Location", server.elsewhere() + "/x");
        };
        fails(Kind.INVALID, "answered 308", () -> push.manifest(server.image(), MANIFEST, OciRegistry.MANIFEST));
        fails(Kind.INVALID, "answered 308", () -> push.delete(server.image().at(DIGEST)));
        assertThat(server.requests).noneMatch(request -> request.endsWith("/x"));
    }

    @ParameterizedTest
    @CsvSource({"202, x, true", "200, x, true", "404, x, false", "405, UNSUPPORTED, false", "400, UNSUPPORTED, false"})
    void whetherAManifestIsDeleted(int status, String code, boolean deleted) throws Exception {
        server.handler = exchange -> answer(exchange, status, code);
        assertThat(push.delete(server.image().at(DIGEST))).isEqualTo(deleted);
        assertThat(server.requests).containsExactly("DELETE /v2/a/b/manifests/" + DIGEST);
    }

    @ParameterizedTest
    @CsvSource({"400, INVALID", "403, UNAUTHORIZED", "500, UNAVAILABLE"})
    void aDeletionThatFailsIsAnError(int status, Kind kind) {
        server.handler = exchange -> answer(exchange, status, "MANIFEST_INVALID");
        fails(
                kind,
                "could not delete manifests/" + DIGEST,
                () -> push.delete(server.image().at(DIGEST)));
        assertThatThrownBy(() -> push.delete(server.image())).isInstanceOf(IllegalArgumentException.class);
    }
}
