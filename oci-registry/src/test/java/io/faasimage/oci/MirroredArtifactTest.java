package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.Artifacts.Attached;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.Referrers.Referrer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts of a registry with a mirror: they are read there, and written to the registry alone. */
@Timeout(60)
class MirroredArtifactTest {
    private static final String TYPE = "application/vnd.test.plan.v1+json";
    private static final String CONTENT = "0123456789";
    private static final Digest BLOB = digest(CONTENT);
    private static final Digest SUBJECT = digest("image");
    private static final Digest PLAN = digest("plan");
    private static final String MANIFESTS = "/v2/a/b/manifests/";
    private static final String TAG = MANIFESTS + "sha256-" + SUBJECT.hex();
    private static final String BLOBS = "/v2/a/b/blobs/" + BLOB;

    @TempDir
    private Path directory;

    private ScriptedServer mirror;
    private ScriptedServer origin;
    private ScriptedServer storage;
    private OciRegistry registry;

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        mirror = new ScriptedServer();
        origin = new ScriptedServer();
        storage = new ScriptedServer();
        OciRegistry.Options usual = OciRegistryTest.options(_ -> Optional.empty());
        registry = new OciRegistry(
                new OciRegistry.Options(
                        usual.policy(),
                        usual.logins(),
                        usual.tls(),
                        usual.answer(),
                        usual.silence(),
                        usual.rate(),
                        1,
                        new HostDirectories(List.of(directory), Optional.empty(), _ -> {})),
                new TestClock());
        hosts("[host.'http://MIRROR']");
    }

    @AfterEach
    void stop() {
        registry.close();
        mirror.close();
        origin.close();
        storage.close();
    }

    private void hosts(String toml) throws IOException {
        Path own = Files.createDirectories(directory.resolve(origin.host()));
        Files.writeString(own.resolve("hosts.toml"), toml.replace("MIRROR", mirror.host()));
    }

    private ImageReference subject() {
        return origin.image().at(SUBJECT);
    }

    private String ns() {
        return "ns=" + URLEncoder.encode(origin.host(), StandardCharsets.UTF_8);
    }

    private String listed(String more) {
        return "GET /v2/a/b/referrers/" + SUBJECT + "?artifactType=application%2Fvnd.test.plan.v1%2Bjson" + more;
    }

    private static String index(Digest... artifacts) {
        StringBuilder entries = new StringBuilder();
        for (Digest artifact : artifacts) {
            entries.append(entries.isEmpty() ? "" : ",").append("""
                    {"digest": "%s", "size": 7, "artifactType": "%s"}""".formatted(artifact, TYPE));
        }
        return "{\"schemaVersion\": 2, \"manifests\": [" + entries + "]}";
    }

    private static boolean isList(HttpExchange exchange) {
        return exchange.getRequestURI().getPath().contains("/referrers/");
    }

    /** Sends the range, or a whole manifest, with this answer for lists of referrers. */
    private static ScriptedServer.Handler having(int listStatus, String list, String tagged) {
        return exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (isList(exchange)) {
                answer(exchange, listStatus, list);
            } else if (path.equals(TAG) && !tagged.isEmpty()) {
                answer(exchange, 200, tagged);
            } else if (path.equals(BLOBS)) {
                answer(exchange, 200, CONTENT);
            } else {
                answer(exchange, 404, "");
            }
        };
    }

    private static ScriptedServer.Handler redirectingTo(String target) {
        return exchange -> answer(exchange, 307, "", "Location", target);
    }

    private static void partial(HttpExchange exchange) throws IOException {
        answer(exchange, 206, CONTENT.substring(2, 5), "Content-Range", "bytes 2-4/10");
    }

    private String range() throws IOException {
        try (InputStream in = registry.open(subject(), BLOB, 2, 5)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<Digest> found() throws OciException {
        return registry.referrers(subject(), TYPE).list().stream()
                .map(Referrer::manifest)
                .toList();
    }

    @Test
    void anArtifactIsReadThroughAMirrorOfADeadRegistry() throws Exception {
        origin.close();
        mirror.handler = having(404, "", index(PLAN));
        Referrer plan = new Referrer(PLAN, 7, Map.of());
        assertThat(registry.referrers(subject(), TYPE)).isEqualTo(new Referrers(List.of(plan), true, 2));
        assertThat(registry.referrers(subject(), TYPE)).isEqualTo(new Referrers(List.of(plan), true, 1));
        assertThat(registry.blob(subject(), BLOB, 100)).isEqualTo(CONTENT.getBytes(StandardCharsets.UTF_8));
        assertThat(range()).as("of a mirror that sends the whole blob").isEqualTo("234");
        mirror.handler = MirroredArtifactTest::partial;
        assertThat(range()).isEqualTo("234");
        assertThat(registry.range(subject(), BLOB, 2, 3))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo("234".getBytes(StandardCharsets.UTF_8)));
        String blob = "GET " + BLOBS + "?" + ns();
        assertThat(mirror.requests)
                .containsExactly(
                        listed("&" + ns()),
                        "GET " + TAG + "?" + ns(),
                        "GET " + TAG + "?" + ns(),
                        blob,
                        blob,
                        blob,
                        blob);
    }

    @Test
    void thatAMirrorHasNothingIsNoAnswer() throws Exception {
        mirror.handler = having(200, index(), "");
        origin.handler = having(200, index(PLAN), "");
        assertThat(registry.referrers(subject(), TYPE))
                .isEqualTo(new Referrers(List.of(new Referrer(PLAN, 7, Map.of())), false, 3));
        origin.handler = having(200, index(), "");
        assertThat(registry.referrers(subject(), TYPE)).isEqualTo(new Referrers(List.of(), false, 4));
        origin.close();
        fails(Kind.UNAVAILABLE, "(mirrors: " + mirror.host() + ": it has nothing)", this::found);
    }

    @Test
    void whetherAHostHasListsIsRememberedOfEach() throws Exception {
        mirror.handler = having(404, "", "");
        origin.handler = having(200, index(PLAN), "");
        for (int i = 0; i < 2; i++) {
            assertThat(found()).containsExactly(PLAN);
        }
        String tagged = "GET " + TAG + "?" + ns();
        assertThat(mirror.requests).containsExactly(listed("&" + ns()), tagged, tagged);
        assertThat(origin.requests).containsExactly(listed(""), listed(""));
    }

    @Test
    void hostsAreAskedForWhatTheyAreTrustedWith() throws Exception {
        hosts("[host.'http://MIRROR']\ncapabilities = ['pull', 'resolve']");
        mirror.handler = having(200, index(digest("distrusted")), index(PLAN));
        assertThat(found()).containsExactly(PLAN);
        hosts("[host.'http://MIRROR']\ncapabilities = ['referrers']");
        mirror.handler = having(404, "", index(digest("distrusted")));
        origin.handler = having(404, "", index(PLAN));
        assertThat(found()).containsExactly(PLAN);
        assertThat(mirror.requests).containsExactly("GET " + TAG + "?" + ns(), listed("&" + ns()));
    }

    @Test
    void targetsOfRedirectsAreOfTheHostThatRedirected() throws Exception {
        storage.handler = MirroredArtifactTest::partial;
        mirror.handler = redirectingTo(storage.elsewhere() + "/mirrors");
        origin.handler = redirectingTo(storage.elsewhere() + "/origins");
        range();
        range();
        assertThat(mirror.requests).hasSize(1);
        hosts("");
        range();
        range();
        assertThat(origin.requests).hasSize(1);
        assertThat(storage.requests).containsExactly("GET /mirrors", "GET /mirrors", "GET /origins", "GET /origins");
        hosts("[host.'http://MIRROR']");
        storage.handler = exchange -> answer(exchange, 403, "");
        mirror.handler = MirroredArtifactTest::partial;
        assertThat(range()).isEqualTo("234");
        assertThat(storage.requests).endsWith("GET /mirrors");
        assertThat(origin.requests).hasSize(1);
    }

    @Test
    void aMirrorWithoutTheRangeOrThatBreaksOffIsPassed() throws Exception {
        origin.handler = MirroredArtifactTest::partial;
        for (String given : List.of("bytes 0-2/10", "")) {
            mirror.handler = exchange -> answer(exchange, 206, "012", "Content-Range", given);
            assertThat(range()).isEqualTo("234");
        }
        mirror.handler = exchange -> answer(exchange, 200, "0");
        assertThat(range()).as("after too short a blob").isEqualTo("234");
        assertThat(mirror.requests).hasSize(3);
        mirror.handler = exchange -> {
            exchange.getResponseHeaders().set("Content-Range", "bytes 2-4/10");
            exchange.sendResponseHeaders(206, 0);
            exchange.getResponseBody().write('2');
            exchange.close();
        };
        fails(
                Kind.UNAVAILABLE,
                "could not get blobs/" + BLOB + " of " + subject() + ": " + mirror.host()
                        + ": the stream ended after 1 of",
                this::range);
        assertThat(range()).isEqualTo("234");
        assertThat(mirror.requests).as("left out").hasSize(4);
    }

    @Test
    void theRegistryAloneIsWrittenTo() throws Exception {
        mirror.handler = having(404, "", index(digest("old")));
        origin.handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            switch (exchange.getRequestMethod()) {
                case "PUT" -> answer(exchange, 201, "");
                case "POST" -> answer(exchange, 202, "", "Location", "/upload");
                case "DELETE" -> answer(exchange, 202, "");
                default -> answer(exchange, 404, "");
            }
        };
        byte[] bytes = CONTENT.getBytes(StandardCharsets.UTF_8);
        OciPush push = new OciPush(registry);
        assertThat(push.blob(subject(), BLOB, bytes.length, () -> new ByteArrayInputStream(bytes)))
                .isTrue();
        byte[] manifest =
                "{\"subject\": {\"digest\": \"%s\"}}".formatted(SUBJECT).getBytes(StandardCharsets.UTF_8);
        Digest artifact = Digest.of(manifest);
        Artifacts artifacts = new Artifacts(registry);
        assertThat(artifacts.attach(subject(), manifest, TYPE, Map.of())).isEqualTo(new Attached(artifact, true));
        assertThat(artifacts.detach(subject(), artifact)).isTrue();
        assertThat(mirror.requests).isEmpty();
        assertThat(origin.requests)
                .containsExactly(
                        "HEAD " + BLOBS,
                        "POST /v2/a/b/blobs/uploads/",
                        "PUT /upload?digest=" + BLOB,
                        "PUT " + MANIFESTS + artifact,
                        "GET " + TAG,
                        "PUT " + TAG,
                        "GET " + TAG,
                        "DELETE " + MANIFESTS + artifact);
    }

    @Test
    void aServerInThePlaceOfTheRegistryIsWrittenToIfItMayBe() throws Exception {
        OciPush push = new OciPush(registry);
        mirror.handler = exchange -> answer(exchange, 202, "");
        hosts("server = 'http://MIRROR'");
        assertThat(push.delete(subject())).isTrue();
        hosts("server = 'http://MIRROR'\ncapabilities = ['pull', 'resolve']");
        fails(Kind.REFUSED, "does not give " + mirror.host() + " the capability push", () -> push.delete(subject()));
        assertThat(mirror.requests).containsExactly("DELETE " + MANIFESTS + SUBJECT + "?" + ns());
        assertThat(origin.requests).isEmpty();
    }
}
