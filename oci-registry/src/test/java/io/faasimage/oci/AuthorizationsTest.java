package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins at a registry and token server that a test can make forget them. */
class AuthorizationsTest {
    private static final Digest BLOB = Digest.of("content".getBytes(StandardCharsets.UTF_8));
    private static final String BASIC = "Basic " + base64("u:p");

    @TempDir
    private Path directory;

    private final List<String> tokenRequests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> authorizations = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private volatile String challenge = "";
    private volatile int refusal = 401;
    private volatile int tokenStatus = 200;
    private volatile Predicate<String> accepted = _ -> false;

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/a/b/blobs/", this::blob);
        server.createContext("/token", this::token);
        server.start();
        challenge = "Bearer realm=\"http://" + host()
                + "/token?client=x\",service=\"the service\",scope=\"repository:a/b:pull\"";
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void blob(HttpExchange exchange) throws IOException {
        String shown = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        authorizations.add(shown);
        if (accepted.test(shown)) {
            answer(exchange, 200, "content");
            return;
        }
        if (shown.isEmpty() || refusal == 401) {
            exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
            answer(exchange, 401, "");
        } else {
            answer(exchange, refusal, "");
        }
    }

    /** Tokens are {@code t1}, {@code t2} and so on. */
    private void token(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        tokenRequests.add(
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getQuery() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
        String name = exchange.getRequestMethod().equals("POST") ? "access_token" : "token";
        answer(exchange, tokenStatus, "{\"" + name + "\": \"t" + tokenRequests.size() + "\"}");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private OciRegistry registry(String entry) throws IOException {
        Path file =
                Files.writeString(directory.resolve("config.json"), "{\"auths\": {\"" + host() + "\": " + entry + "}}");
        return new OciRegistry(OciRegistryTest.options(new DockerLogins(file)));
    }

    private String read(OciRegistry registry) throws IOException {
        try (var in = registry.open(ImageReference.parse(host() + "/a/b:c"), BLOB)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aTokenIsAskedForWithThePasswordAndUsedAgain() throws IOException {
        accepted = "Bearer t1"::equals;
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:p") + "\"}")) {
            assertThat(read(registry)).isEqualTo("content");
            assertThat(read(registry)).isEqualTo("content");
        }
        assertThat(tokenRequests)
                .containsExactly("GET client=x&service=the+service&scope=repository:a/b:pull " + BASIC + " ");
        assertThat(authorizations).containsExactly("", "Bearer t1", "Bearer t1");
    }

    @Test
    void anonymousTokensNeedNoLogin() throws IOException {
        accepted = "Bearer t1"::equals;
        try (OciRegistry registry = registry("{}")) {
            assertThat(read(registry)).isEqualTo("content");
        }
        assertThat(tokenRequests).singleElement().asString().contains(" null ");
    }

    @Test
    void anIdentityTokenIsExchanged() throws IOException {
        accepted = "Bearer t1"::equals;
        try (OciRegistry registry = registry("{\"identitytoken\": \"re/fresh\"}")) {
            assertThat(read(registry)).isEqualTo("content");
        }
        assertThat(tokenRequests)
                .containsExactly("POST client=x null grant_type=refresh_token&client_id=faasimage&service=the+service"
                        + "&scope=repository%3Aa%2Fb%3Apull&refresh_token=re%2Ffresh");
    }

    @Test
    void anExpiredTokenIsAskedForAgainAfter401() throws IOException {
        expiredTokenIsRenewed(401);
    }

    @Test
    void anExpiredTokenIsAskedForAgainAfter403WithoutAChallenge() throws IOException {
        expiredTokenIsRenewed(403);
    }

    private void expiredTokenIsRenewed(int status) throws IOException {
        refusal = status;
        accepted = "Bearer t1"::equals;
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:p") + "\"}")) {
            assertThat(read(registry)).isEqualTo("content");
            accepted = "Bearer t2"::equals;
            assertThat(read(registry)).isEqualTo("content");
        }
        assertThat(tokenRequests).hasSize(2);
    }

    @Test
    void aRefusedPasswordIsTriedOnceAndNotTold() throws IOException {
        challenge = "Basic realm=\"r\"";
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:s3cret") + "\"}")) {
            assertThatThrownBy(() -> read(registry))
                    .hasMessageContaining("answered 401")
                    .hasMessageContaining("docker login " + host())
                    .hasMessageNotContaining("s3cret");
        }
        assertThat(authorizations).containsExactly("", "Basic " + base64("u:s3cret"));
    }

    @Test
    void aChangedPasswordCountsAtOnce() throws IOException {
        challenge = "Basic realm=\"r\"";
        accepted = ("Basic " + base64("u:old"))::equals;
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:old") + "\"}")) {
            assertThat(read(registry)).isEqualTo("content");
            accepted = ("Basic " + base64("u:new"))::equals;
            registry("{\"auth\": \"" + base64("u:new") + "\"}").close();
            assertThat(read(registry)).isEqualTo("content");
        }
    }

    @Test
    void aTokenServerThatRefusesIsNamed() throws IOException {
        tokenStatus = 403;
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:p") + "\"}")) {
            assertThatThrownBy(() -> read(registry))
                    .hasMessageContaining("of " + host() + "/a/b:c: no token, " + host() + " answered 403")
                    .hasMessageContaining("docker login");
        }
    }

    @Test
    void aLoginIsNotSentToATokenServerOfWhateverKind() throws IOException {
        challenge = "Bearer realm=\"ftp://" + host() + "/token\"";
        try (OciRegistry registry = registry("{\"auth\": \"" + base64("u:p") + "\"}")) {
            assertThatThrownBy(() -> read(registry)).hasMessageContaining("not HTTPS");
        }
        assertThat(tokenRequests).isEmpty();
    }
}
