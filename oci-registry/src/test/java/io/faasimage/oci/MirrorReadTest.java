package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.testing.LoopbackServer;
import io.faasimage.testing.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a registry with mirrors, over HTTP. */
@Timeout(60)
class MirrorReadTest {
    private static final byte[] CONTENT = FakeRegistry.CONTENT;
    private static final Digest BLOB = Digest.of(CONTENT);

    @TempDir
    private Path directory;

    private final Map<String, Login> logins = new ConcurrentHashMap<>();
    private final FakeRegistry first = new FakeRegistry();
    private final FakeRegistry second = new FakeRegistry();
    private final FakeRegistry origin = new FakeRegistry();
    private OciRegistry registry;

    @BeforeEach
    void start() {
        registry = registry(HostRules.OPEN);
    }

    private OciRegistry registry(HostPolicy policy) {
        OciRegistry.Options usual = OciRegistryTest.options(image -> Optional.ofNullable(logins.get(image.registry())));
        return new OciRegistry(new OciRegistry.Options(
                policy,
                usual.logins(),
                usual.tls(),
                usual.answer(),
                usual.silence(),
                usual.rate(),
                1,
                new HostDirectories(List.of(directory), Optional.empty(), _ -> {})));
    }

    @AfterEach
    void stop() {
        registry.close();
        first.close();
        second.close();
        origin.close();
    }

    private void hosts(String toml) throws IOException {
        write(origin.host(), toml);
    }

    private void write(String name, String toml) throws IOException {
        String text = toml.replace("FIRST", first.host()).replace("SECOND", second.host());
        Files.writeString(Files.createDirectories(directory.resolve(name)).resolve("hosts.toml"), text);
    }

    private ImageReference image() {
        return ImageReference.parse(origin.host() + "/a/b:c");
    }

    private String ns() {
        return "?ns=" + URLEncoder.encode(origin.host(), StandardCharsets.UTF_8);
    }

    private void readBlob() throws IOException {
        try (InputStream in = registry.open(image(), BLOB)) {
            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
        }
    }

    @Test
    void mirrorsAreReadInTheirOrder() throws IOException {
        hosts("[host.'http://FIRST']\n[host.'http://SECOND']");
        readBlob();
        assertThat(registry.manifest(image(), 10).digest()).isEqualTo(BLOB);
        assertThat(registry.range(image(), BLOB, 0, 1)).isEmpty();
        String path = "/v2/a/b/";
        assertThat(first.requests)
                .containsExactly(
                        path + "blobs/" + BLOB + ns(), path + "manifests/c" + ns(), path + "blobs/" + BLOB + ns());
        assertThat(second.requests).isEmpty();
        assertThat(origin.requests).isEmpty();
        hosts("[host.'http://SECOND']\n[host.'http://FIRST']");
        readBlob();
        assertThat(second.requests).as("the file has changed").hasSize(1);
    }

    @Test
    void theNextHostIsTriedWhenOneFails() throws IOException {
        hosts("[host.'http://FIRST']\n[host.'http://SECOND']");
        for (int status : List.of(400, 401, 403, 404, 429, 500, 503)) {
            first.answers(status);
            second.answers(404);
            int before = origin.requests.size();
            readBlob();
            assertThat(registry.range(image(), BLOB, 0, 1)).isEmpty();
            assertThat(registry.blob(image(), BLOB, 100)).isEqualTo(CONTENT);
            assertThat(origin.requests).as("after " + status).hasSize(before + 3);
        }
        assertThat(origin.requests).allMatch(("/v2/a/b/blobs/" + BLOB)::equals);
        assertThat(second.requests).hasSize(21);
    }

    @Test
    void aMirrorThatRefusesConnectionsIsPassed() throws IOException {
        hosts("[host.'http://127.0.0.1:" + Ports.free() + "']");
        readBlob();
        assertThat(origin.requests).hasSize(1);
    }

    @Test
    void aMirrorsWrongBytesAreNotTaken() throws IOException {
        hosts("[host.'http://FIRST']");
        first.answer = exchange -> LoopbackServer.send(exchange, 200, "other");
        assertThat(registry.blob(image(), BLOB, 100)).isEqualTo(CONTENT);
        assertThat(registry.manifest(image().at(BLOB), 100).bytes()).isEqualTo(CONTENT);
        assertThat(first.requests).hasSize(2);
    }

    @Test
    void aMirrorThatBreaksOffIsLeftOutAtTheNextAttempt() throws IOException {
        hosts("[host.'http://FIRST']");
        first.answer = exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(CONTENT);
            exchange.getResponseBody().flush();
        };
        assertThatThrownBy(this::readBlob)
                .isInstanceOf(OciException.class)
                .hasMessageContaining("could not get blobs/" + BLOB + " of " + image() + ": " + first.host() + ": ");
        readBlob();
        assertThat(first.requests).hasSize(1);
        assertThat(origin.requests).hasSize(1);
    }

    @Test
    void theFailureIsTheOriginsWithWhatMirrorsSaid() throws IOException {
        hosts("[host.'http://FIRST']");
        first.answers(503);
        origin.answers(404);
        assertThatThrownBy(this::readBlob)
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
                .hasMessageContaining(": the OCI registry answered 404 (mirrors: " + first.host()
                        + ": the OCI registry answered 503); has it been pushed?");
    }

    @Test
    void aMirrorThatMayNotResolveIsNotAskedForATag() throws IOException {
        hosts("[host.'http://FIRST']\ncapabilities = ['pull']");
        registry.manifest(image(), 10);
        assertThat(first.requests).isEmpty();
        registry.manifest(image().at(BLOB), 10);
        assertThat(first.requests).hasSize(1);
        assertThat(origin.requests).hasSize(1);
    }

    @Test
    void pathsAndHeadersAreTheFilesAndOnlyForTheHostItself() throws IOException {
        hosts("[host.'http://FIRST/cache']\noverride_path = true\n"
                + "[host.'http://FIRST/cache'.header]\nx-test = ['one', 'two']\nAuthorization = 'Bearer own'");
        first.answer = exchange -> {
            exchange.getResponseHeaders().set("Location", "http://localhost:" + second.server.port() + "/signed");
            exchange.sendResponseHeaders(307, -1);
        };
        readBlob();
        assertThat(first.requests).containsExactly("/cache/a/b/blobs/" + BLOB + ns());
        assertThat(first.headers).containsExactly("Bearer own [one, two]");
        assertThat(second.requests).containsExactly("/signed");
        assertThat(second.headers).containsExactly("null []");
    }

    @Test
    void loginsAreForTheHostThatIsSpokenTo() throws IOException {
        logins.put(origin.host(), new Login("origin", "p"));
        hosts("[host.'http://FIRST']\n[host.'http://SECOND']");
        for (FakeRegistry each : List.of(first, second, origin)) {
            each.answer = exchange -> {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"r\"");
                boolean shown = exchange.getRequestHeaders().containsKey("Authorization");
                LoopbackServer.send(exchange, shown ? 200 : 401, shown ? CONTENT : new byte[0]);
            };
        }
        readBlob();
        assertThat(first.headers).containsExactly("null []");
        assertThat(second.headers).containsExactly("null []");
        assertThat(origin.headers).containsExactly("null []", new Login("origin", "p").basic() + " []");
        logins.put(second.host(), new Login("mirror", "q"));
        readBlob();
        assertThat(second.headers).containsExactly("null []", "null []", new Login("mirror", "q").basic() + " []");
        assertThat(origin.headers).hasSize(2);
    }

    @Test
    void aLoginGoesBeforeTheAuthorizationOfTheFile() throws IOException {
        Login login = new Login("u", "p");
        logins.put(first.host(), login);
        hosts("[host.'http://FIRST']\nheader = {Authorization = 'Bearer own'}");
        first.answer = exchange -> {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"r\"");
            List<String> shown = exchange.getRequestHeaders().get("Authorization");
            LoopbackServer.send(exchange, shown.equals(List.of(login.basic())) ? 200 : 401, CONTENT);
        };
        readBlob();
        assertThat(first.headers).containsExactly("Bearer own []", login.basic() + " []");
        assertThat(origin.requests).isEmpty();
    }

    @Test
    void aListedHostMayHaveARefusedAddressAndNoTls() throws IOException {
        HostRules strict =
                new HostRules(HostNames.NONE, HostNames.NONE, HostNames.NONE, EnumSet.of(AddressRange.LOOPBACK));
        ImageReference image = ImageReference.parse("localhost:1/a/b:c");
        write("localhost:1", "[host.'http://FIRST']");
        try (OciRegistry client = registry(strict)) {
            assertThat(client.blob(image, BLOB, 100)).isEqualTo(CONTENT);
            first.answer = exchange -> {
                exchange.getResponseHeaders().set("Location", "http://localhost:" + second.server.port() + "/other");
                exchange.sendResponseHeaders(307, -1);
            };
            assertThatThrownBy(() -> client.blob(image, BLOB, 100))
                    .hasMessageContaining("the host localhost has a loopback address");
        }
        assertThat(second.requests).isEmpty();
    }

    @Test
    void theServerIsInThePlaceOfTheRegistry() throws IOException {
        hosts("server = 'http://SECOND'\n[host.'http://FIRST']");
        first.answers(404);
        readBlob();
        assertThat(second.requests).containsExactly("/v2/a/b/blobs/" + BLOB + ns());
        second.answers(503);
        assertThatThrownBy(this::readBlob)
                .hasMessageContaining(": " + second.host() + ": the OCI registry answered 503");
        assertThat(origin.requests).isEmpty();
    }

    @Test
    void theRegistrysOwnServerIsNotToldItsName() throws IOException {
        hosts("server = 'http://" + origin.host() + "'\n[header]\nx-test = 'h'");
        readBlob();
        assertThat(origin.requests).containsExactly("/v2/a/b/blobs/" + BLOB);
        assertThat(origin.headers).containsExactly("null [h]");
        hosts("[header]\nx-test = 'i'");
        readBlob();
        assertThat(origin.headers).containsExactly("null [h]", "null [i]");
    }

    @Test
    void theDefaultDirectoryIsForEachRegistry() throws IOException {
        write("_default", "[host.'http://FIRST']");
        registry.manifest(ImageReference.parse("nginx:1"), 10);
        registry.manifest(ImageReference.parse("quay.io/a/b:c"), 10);
        assertThat(first.requests)
                .containsExactly("/v2/library/nginx/manifests/1?ns=docker.io", "/v2/a/b/manifests/c?ns=quay.io");
    }

    @Test
    void aBrokenFileDoesNotKeepTheRegistryFromBeingRead() throws IOException {
        hosts("[host.'http://FIRST'");
        readBlob();
        assertThat(first.requests).isEmpty();
        assertThat(origin.requests).isNotEmpty();
    }
}
