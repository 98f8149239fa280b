package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.Artifacts.Attached;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Artifacts at a registry that keeps manifests, with and without lists of referrers. */
@Timeout(60)
class ArtifactsTest {
    private static final String TYPE = "application/vnd.test.plan.v1+json";
    private static final Digest SUBJECT = Digest.of("image".getBytes(StandardCharsets.UTF_8));
    private static final Map<String, String> NOTES = Map.of("b", "2", "a", "1");

    /** Manifests by tag or digest. */
    private final Map<String, String> manifests = new ConcurrentHashMap<>();

    private volatile boolean lists;
    private volatile boolean deletes = true;
    private ScriptedServer server;
    private OciRegistry registry;
    private Artifacts artifacts;
    private ImageReference subject;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        registry = server.client(new TestClock());
        artifacts = new Artifacts(registry);
        subject = server.image().at(SUBJECT);
        server.handler = this::keep;
    }

    @AfterEach
    void stop() {
        registry.close();
        server.close();
    }

    private void keep(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                manifests.put(name, body);
                answer(exchange, 201, "", lists && body.contains("subject") ? "OCI-Subject" : "X", "x");
            }
            case "DELETE" -> answer(exchange, !deletes ? 405 : manifests.remove(name) == null ? 404 : 202, "");
            default -> answer(exchange, manifests.containsKey(name) ? 200 : 404, manifests.getOrDefault(name, ""));
        }
    }

    private static byte[] artifact(String name) {
        String json = """
                {"artifactType": "%s", "subject": {"digest": "%s"}, "name": "%s"}""".formatted(TYPE, SUBJECT, name);
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String tag() {
        return "sha256-" + SUBJECT.hex();
    }

    private Digest attach(String name) throws OciException {
        byte[] manifest = artifact(name);
        Attached attached = artifacts.attach(subject, manifest, TYPE, NOTES);
        assertThat(attached).isEqualTo(new Attached(Digest.of(manifest), !lists));
        assertThat(manifests.get(attached.manifest().toString()))
                .isEqualTo(new String(manifest, StandardCharsets.UTF_8));
        return attached.manifest();
    }

    private List<Digest> found() throws OciException {
        return registry.referrers(subject, TYPE).list().stream()
                .map(Referrer::manifest)
                .toList();
    }

    @Test
    void aRegistryThatListsNeedsNoTag() throws Exception {
        lists = true;
        Digest digest = attach("one");
        assertThat(server.requests).containsExactly("PUT /v2/a/b/manifests/" + digest);
    }

    @Test
    void theTagIsAnIndexOfTheArtifacts() throws Exception {
        Digest one = attach("one");
        assertThat(Json.mapper().readTree(manifests.get(tag())))
                .isEqualTo(Json.mapper().readTree("""
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [
                 {"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "%s", "size": %d,
                  "artifactType": "%s", "annotations": {"a": "1", "b": "2"}}]}
                """.formatted(one, artifact("one").length, TYPE)));
        Digest two = attach("two");
        assertThat(found()).containsExactly(one, two);
        assertThat(registry.referrers(subject, TYPE).list()).contains(new Referrer(one, artifact("one").length, NOTES));
    }

    @Test
    void whatIsListedIsNotListedTwice() throws Exception {
        attach("one");
        server.requests.clear();
        attach("one");
        assertThat(found()).hasSize(1);
        assertThat(server.requests).doesNotContain("PUT /v2/a/b/manifests/" + tag());
    }

    @Test
    void entriesAndFieldsOfOthersAreKept() throws Exception {
        String foreign = "{\"digest\":\"sha512:00\",\"unknown\":1}";
        manifests.put(tag(), "{\"manifests\":[" + foreign + "],\"annotations\":{\"x\":\"y\"}}");
        Digest one = attach("one");
        assertThat(manifests.get(tag())).contains(foreign, one.toString(), "\"annotations\":{\"x\":\"y\"}");
        assertThat(artifacts.detach(subject, one)).isTrue();
        assertThat(manifests.get(tag())).contains(foreign, "\"x\":\"y\"").doesNotContain(one.toString());
    }

    @Test
    void anArtifactIsRemovedFromTheTagFirst() throws Exception {
        Digest one = attach("one");
        Digest two = attach("two");
        server.requests.clear();
        assertThat(artifacts.detach(subject, one)).isTrue();
        assertThat(server.requests)
                .containsExactly(
                        "GET /v2/a/b/manifests/" + tag(),
                        "PUT /v2/a/b/manifests/" + tag(),
                        "DELETE /v2/a/b/manifests/" + one);
        assertThat(found()).containsExactly(two);
        assertThat(artifacts.detach(subject, one)).as("once more").isFalse();
        assertThat(artifacts.detach(subject, two)).isTrue();
        assertThat(found()).isEmpty();
    }

    @Test
    void aRegistryThatDoesNotDeleteNoLongerListsTheArtifact() throws Exception {
        deletes = false;
        Digest one = attach("one");
        assertThat(artifacts.detach(subject, one)).isFalse();
        assertThat(found()).isEmpty();
    }

    @Test
    void withoutATagOnlyTheManifestIsDeleted() throws Exception {
        lists = true;
        Digest one = attach("one");
        assertThat(artifacts.detach(subject, one)).isTrue();
        assertThat(manifests).isEmpty();
    }

    @Test
    void aDamagedTagIsNotOverwritten() {
        manifests.put(tag(), "<html>");
        fails(Kind.INVALID, "could not read the referrers of " + server.host() + "/a/b:" + tag(), () -> attach("one"));
        fails(Kind.INVALID, "not JSON", () -> artifacts.detach(subject, SUBJECT));
        assertThat(manifests).containsEntry(tag(), "<html>");
    }

    @Test
    void anArtifactIsOfItsSubject() {
        byte[] manifest = artifact("one");
        Digest other = Digest.of(manifest);
        assertThatThrownBy(() -> artifacts.attach(subject.at(other), manifest, TYPE, NOTES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(SUBJECT.toString());
        assertThatThrownBy(() -> artifacts.attach(subject, new byte[] {'x'}, TYPE, NOTES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> artifacts.attach(server.image(), manifest, TYPE, NOTES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(server.requests).isEmpty();
    }
}
