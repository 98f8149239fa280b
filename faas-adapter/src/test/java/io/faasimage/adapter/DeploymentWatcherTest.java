package io.faasimage.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watcher between two HTTP servers: a provider as faasd answers, and a registry that records what it is asked. */
final class DeploymentWatcherTest {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile String functions = "[]";
    private volatile int registryStatus = 201;
    private HttpServer provider;
    private HttpServer registry;

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/system/namespaces", e -> answer(e, 200, "[\"openfaas-fn\"]"));
        provider.createContext("/system/functions", e -> {
            boolean authorized = "Basic dTpw".equals(e.getRequestHeaders().getFirst("Authorization"));
            answer(e, authorized ? 200 : 401, authorized ? functions : "invalid credentials");
        });
        provider.start();
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/v1/functions", e -> {
            String body = new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(e.getRequestMethod() + " " + e.getRequestURI().getPath() + " " + body);
            boolean post = e.getRequestMethod().equals("POST");
            answer(e, post ? registryStatus : 404, post && registryStatus == 201 ? FUNCTION : "{\"detail\":\"no\"}");
        });
        registry.start();
    }

    private static final String FUNCTION =
            "{\"name\":\"f\",\"image\":\"i\",\"digest\":\"sha256:0\",\"state\":\"UNTRACED\","
                    + "\"created\":\"2026-01-01T00:00:00Z\"}";

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
        registry.stop(0);
    }

    private static URI uri(HttpServer server) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private DeploymentWatcher watcher(String credentials) {
        return new DeploymentWatcher(
                new OpenFaasProvider(uri(provider), Optional.of(credentials)),
                new RegistryClient(RegistryConfig.of(uri(registry), Optional.empty())));
    }

    @Test
    void aFunctionIsRegisteredOnceAndAgainWhenItsImageChanges() throws IOException {
        DeploymentWatcher watcher = watcher("u:p");
        functions = "[{\"name\":\"hello\",\"image\":\"r/hello:1\"}]";
        assertThat(watcher.round()).isEqualTo(1);
        assertThat(watcher.round()).isZero();
        functions = "[{\"name\":\"hello\",\"image\":\"r/hello:2\"}]";
        assertThat(watcher.round()).isEqualTo(1);
        assertThat(requests)
                .filteredOn(r -> r.startsWith("POST"))
                .hasSize(2)
                .allMatch(r -> r.contains("hello.openfaas-fn"));
    }

    @Test
    void aFailedRegistrationIsTriedAgain() throws IOException {
        DeploymentWatcher watcher = watcher("u:p");
        functions = "[{\"name\":\"hello\",\"image\":\"r/hello:1\"}]";
        registryStatus = 503;
        assertThat(watcher.round()).isZero();
        registryStatus = 201;
        assertThat(watcher.round()).isEqualTo(1);
    }

    @Test
    void wrongCredentialsNameTheRemedy() {
        assertThatThrownBy(() -> watcher("u:wrong").round()).hasMessageContaining("--password-file");
    }

    @Test
    void unknownOptionsAreRefused() {
        assertThatThrownBy(() -> Main.parse(new String[] {"--nonsense", "x"})).hasMessageContaining("--nonsense");
        assertThatThrownBy(() -> Main.parse(new String[] {"--provider"})).hasMessageContaining("incomplete");
    }
}
