package io.faasimage.oci;

import static io.faasimage.oci.ScriptedServer.answer;
import static io.faasimage.oci.ScriptedServer.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups at registries that list referrers, do not, or say that there are none. */
@Timeout(60)
class ReferrersTest {
    private static final String TYPE = "application/vnd.test.plan.v1+json";
    private static final Digest SUBJECT = digest("image");
    private static final Digest PLAN = digest("plan");
    private static final String LISTED =
            "GET /v2/a/b/referrers/" + SUBJECT + "?artifactType=application%2Fvnd.test.plan.v1%2Bjson";
    private static final String TAGGED = "GET /v2/a/b/manifests/sha256-" + SUBJECT.hex();

    private final TestClock clock = new TestClock();
    private ScriptedServer server;
    private OciRegistry registry;
    private ImageReference image;

    private static Digest digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        registry = server.client(clock);
        image = server.image().at(SUBJECT);
    }

    @AfterEach
    void stop() {
        registry.close();
        server.close();
    }

    private static String index(String... entries) {
        return "{\"schemaVersion\": 2, \"manifests\": [" + String.join(",", entries) + "]}";
    }

    private static String entry(String type, Digest digest) {
        return """
                {"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "%s", "size": 7,
                 "artifactType": "%s", "annotations": {"k": "v"}}""".formatted(digest, type);
    }

    /** A registry's answers: about the list, and about the tag. */
    private void answers(int status, String list, String tagged) {
        server.handler = exchange -> {
            if (isList(exchange)) {
                answer(exchange, status, list);
            } else {
                answer(exchange, tagged.isEmpty() ? 404 : 200, tagged);
            }
        };
    }

    private static boolean isList(HttpExchange exchange) {
        return exchange.getRequestURI().getPath().contains("/referrers/");
    }

    private Referrers find() throws OciException {
        return registry.referrers(image, TYPE);
    }

    private static Referrer found(Digest digest) {
        return new Referrer(digest, 7, Map.of("k", "v"));
    }

    @Test
    void aRegistrysOwnListIsOneRequestAndFiltered() throws Exception {
        answers(200, index(entry("application/other", digest("x")), entry(TYPE, PLAN)), "");
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), false, 1));
        assertThat(server.requests).containsExactly(LISTED);
    }

    @Test
    void thatAllAreOfOtherTypesIsAnAnswer() throws Exception {
        answers(200, index(entry("application/other", digest("x"))), index(entry(TYPE, PLAN)));
        assertThat(find()).isEqualTo(new Referrers(List.of(), false, 1));
    }

    @Test
    void pagesAreFollowedWhateverTheRegistryCallsItself() throws Exception {
        String next = "<https://internal.example/v2/a/b/referrers/" + SUBJECT + "?page=2>; rel=\"next\"";
        server.handler = exchange -> {
            boolean second = "page=2".equals(exchange.getRequestURI().getQuery());
            String page = index(entry(TYPE, second ? digest("second") : PLAN));
            answer(exchange, 200, page, "Link", second ? "</x?page=1>; rel=\"prev\"" : next);
        };
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN), found(digest("second"))), false, 2));
        assertThat(server.requests).containsExactly(LISTED, "GET /v2/a/b/referrers/" + SUBJECT + "?page=2");
    }

    @Test
    void pagesEnd() throws Exception {
        server.handler = exchange -> answer(exchange, 200, index(entry(TYPE, PLAN)), "Link", "<?p=1>; rel=next");
        assertThat(find().list()).hasSize(4);
        assertThat(server.requests).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<?a b>; rel=\"next\"", "</v2/>; rel=\"next\""})
    void aDamagedLinkIsNotTheEnd(String link) {
        server.handler = exchange -> answer(exchange, 200, index(entry(TYPE, PLAN)), "Link", link);
        fails(Kind.INVALID, "link to the next page", this::find);
    }

    @Test
    void aMissingPageIsNotTheEnd() {
        server.handler = exchange -> {
            boolean second = "p=1".equals(exchange.getRequestURI().getQuery());
            answer(exchange, second ? 404 : 200, index(entry(TYPE, PLAN)), "Link", "<?p=1>; rel=\"next\"");
        };
        fails(Kind.INVALID, "no page that it links to", this::find);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 410, 501})
    void withoutListsTheTagIsReadAndThatIsRememberedForADay(int status) throws Exception {
        answers(status, "", index(entry("application/other", digest("x")), entry(TYPE, PLAN)));
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), true, 2));
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), true, 1));
        assertThat(server.requests).containsExactly(LISTED, TAGGED, TAGGED);
        clock.pass(ReferrerLookup.REMEMBERED.plusSeconds(1));
        answers(200, index(entry(TYPE, digest("new"))), "");
        assertThat(find()).isEqualTo(new Referrers(List.of(found(digest("new"))), false, 1));
    }

    @Test
    void anEmptyListIsNotBelievedBeforeTheTagIsRead() throws Exception {
        answers(200, index(), index(entry(TYPE, PLAN)));
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), true, 2));
        server.requests.clear();
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), true, 1));
        assertThat(server.requests).containsExactly(TAGGED);
    }

    @Test
    void aListThatWasDoubtedIsReadWhereThereIsNoTag() throws Exception {
        answers(200, index(), index(entry(TYPE, PLAN)));
        assertThat(find().byTag()).isTrue();
        answers(200, index(entry(TYPE, digest("new"))), "");
        assertThat(find()).isEqualTo(new Referrers(List.of(found(digest("new"))), false, 2));
        answers(200, index(), "");
        assertThat(find()).isEqualTo(new Referrers(List.of(), false, 2));
    }

    @Test
    void nothingAnywhereIsAnEmptyResult() throws Exception {
        answers(404, "", "");
        assertThat(find()).isEqualTo(new Referrers(List.of(), false, 2));
        assertThat(find()).isEqualTo(new Referrers(List.of(), false, 1));
    }

    @ParameterizedTest
    @CsvSource({"401, UNAUTHORIZED", "403, UNAUTHORIZED", "429, UNAVAILABLE", "500, UNAVAILABLE", "503, UNAVAILABLE"})
    void aRefusalIsNoProofOfAMissingList(int status, Kind kind) throws Exception {
        answers(status, "", index(entry(TYPE, PLAN)));
        fails(kind, "could not get the referrers of " + image + ": the OCI registry answered " + status, this::find);
        assertThat(server.requests).doesNotContain(TAGGED);
        answers(200, index(entry(TYPE, PLAN)), "");
        assertThat(find().byTag()).isFalse();
    }

    @Test
    void aBusyRegistryIsAskedAgain() throws Exception {
        server.handler =
                exchange -> answer(exchange, server.requests.size() == 1 ? 429 : 200, index(entry(TYPE, PLAN)));
        assertThat(find()).isEqualTo(new Referrers(List.of(found(PLAN)), false, 1));
        assertThat(server.requests).containsExactly(LISTED, LISTED);
    }

    @Test
    void aTagThatCannotBeReadIsAnError() {
        server.handler = exchange -> answer(exchange, isList(exchange) ? 404 : 503, "");
        fails(Kind.UNAVAILABLE, "could not get manifests/sha256-" + SUBJECT.hex(), this::find);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "[]",
                "{\"manifests\": {}}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"digest\": \"sha256:1\", \"size\": 7}]}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"size\": 7}]}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"digest\": \"PLAN\"}]}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"digest\": \"PLAN\", \"size\": -1}]}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"digest\": \"PLAN\", \"size\": 1e30}]}",
                "{\"manifests\": [{\"artifactType\": \"TYPE\", \"digest\": \"PLAN\", \"size\": 1,"
                        + " \"annotations\": {\"k\": 1}}]}"
            })
    void damagedListsAreErrors(String list) {
        String json = list.replace("TYPE", TYPE).replace("PLAN", PLAN.toString());
        answers(200, json, "");
        fails(Kind.INVALID, "the list of referrers", this::find);
        answers(404, "", json);
        fails(Kind.INVALID, "the list of referrers", this::find);
    }

    @Test
    void entriesOfOtherTypesMayBeOfOtherAlgorithms() throws Exception {
        String foreign = "{\"artifactType\": \"application/other\", \"digest\": \"sha512:00\"}";
        answers(200, index(foreign, "7", entry(TYPE, PLAN)), "");
        assertThat(find().list()).containsExactly(found(PLAN));
    }

    @Test
    void listsAreBounded() {
        answers(200, " ".repeat(OciRegistry.MAX_MANIFEST_BYTES) + index(), "");
        fails(Kind.LIMIT, "more than the limit of 4194304 bytes", this::find);
    }

    @Test
    void aTagIsNotASubject() {
        assertThatThrownBy(() -> registry.referrers(server.image(), TYPE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without a digest");
    }

    @Test
    void whatOneRegistryHasSaysNothingAboutAnother() throws Exception {
        answers(404, "", "");
        assertThat(find().requests()).isEqualTo(2);
        try (ScriptedServer other = new ScriptedServer()) {
            other.handler = exchange -> answer(exchange, 200, index(entry(TYPE, PLAN)));
            assertThat(registry.referrers(other.image().at(SUBJECT), TYPE).byTag())
                    .isFalse();
        }
        clock.pass(Duration.ofMinutes(9));
        assertThat(find().requests()).isEqualTo(1);
        clock.pass(Duration.ofMinutes(2));
        assertThat(find().requests()).as("without a tag it is not sure").isEqualTo(2);
    }
}
