package io.faasimage.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.proxy.ProxyServer;
import io.faasimage.adapter.registration.Registrations;
import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.WarmOutcome;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** The whole application between a provider, a registry and a node agent's socket. */
class AdapterTest {
    @TempDir
    private Path directory;

    private final List<String> warmed = new CopyOnWriteArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private StandInProvider provider;
    private StandInService registry;
    private ControlServer node;
    private ServletWebServerApplicationContext adapter;

    @BeforeEach
    void start() throws IOException {
        provider = new StandInProvider();
        registry = new StandInService();
        ControlHandlers handlers = new ControlHandlers().on(NodeOperations.WARM, (request, events) -> {
            warmed.add("warm " + request.chain());
            return WarmOutcome.begun("sha256:0");
        });
        node = ControlServer.start(directory.resolve("node.sock"), handlers);
        Files.writeString(directory.resolve("user"), "admin");
        Files.writeString(directory.resolve("password"), "secret\n");
        adapter = startAdapter();
    }

    private ServletWebServerApplicationContext startAdapter(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--faasimage.listen=127.0.0.1:0",
                "--faasimage.provider=" + provider.uri(),
                "--faasimage.provider-user-file=" + directory.resolve("user"),
                "--faasimage.provider-password-file=" + directory.resolve("password"),
                "--faasimage.registry=" + registry.uri(),
                "--faasimage.nodes=" + directory.resolve("node.sock"),
                "--faasimage.state=" + directory.resolve("state"),
                "--faasimage.proxy.drain=100ms",
                "--faasimage.registration.first-pause=50ms",
                "--faasimage.registration.longest-pause=200ms",
                "--faasimage.registration.attempts=3",
                "--faasimage.registration.compare-interval=300ms"));
        arguments.addAll(Arrays.asList(more));
        if (arguments.contains("--faasimage.platform=openwhisk")) {
            arguments.removeIf(argument -> argument.startsWith("--faasimage.nodes="));
        }
        return (ServletWebServerApplicationContext) AdapterApplication.create().run(arguments.toArray(String[]::new));
    }

    @AfterEach
    void stop() throws IOException {
        adapter.close();
        node.close();
        registry.close();
        provider.close();
    }

    private HttpRequest request(String method, String path, String body) {
        int port = adapter.getBean(ProxyServer.class).address().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", StandInProvider.AUTHORIZATION)
                .method(method, BodyPublishers.ofString(body))
                .build();
    }

    private int send(String method, String path, String body) throws IOException, InterruptedException {
        return http.send(request(method, path, body), BodyHandlers.ofString()).statusCode();
    }

    private static String deployment(String name, String image) {
        return "{\"service\":\"" + name + "\",\"image\":\"" + image + "\"}";
    }

    private String management(String path) throws IOException, InterruptedException {
        HttpRequest get = HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                        + Objects.requireNonNull(adapter.getWebServer()).getPort() + path))
                .build();
        return http.send(get, BodyHandlers.ofString()).body();
    }

    private void awaitRegistered(Map<String, String> expected) {
        Wait.until(
                "the registry to have " + expected, () -> registry.functions().equals(expected));
    }

    @Test
    void aFunctionIsRegisteredUpdatedAndReleased() throws Exception {
        assertThat(send("PUT", "/system/functions", deployment("hello", "r/hello:1")))
                .isEqualTo(404);
        assertThat(send("POST", "/system/functions", deployment("hello", "r/hello:1")))
                .isEqualTo(200);
        awaitRegistered(Map.of("hello.openfaas-fn", "r/hello:1"));
        assertThat(send("PUT", "/system/functions", deployment("hello", "r/hello:2")))
                .isEqualTo(200);
        awaitRegistered(Map.of("hello.openfaas-fn", "r/hello:2"));
        assertThat(send("DELETE", "/system/functions", "{\"functionName\":\"hello\"}"))
                .isEqualTo(200);
        awaitRegistered(Map.of());
    }

    @Test
    void aRefusedDeploymentLeavesNothingAndARefusedUpdateTheOldImage() throws Exception {
        assertThat(send("POST", "/system/functions", deployment("bad", "r/cannot-be-pulled:1")))
                .isEqualTo(400);
        assertThat(send("POST", "/system/functions", deployment("good", "r/good:1")))
                .isEqualTo(200);
        assertThat(send("PUT", "/system/functions", deployment("good", "r/cannot-be-pulled:2")))
                .isEqualTo(400);
        Wait.until(
                "everything to be settled",
                () -> registry.functions().equals(Map.of("good.openfaas-fn", "r/good:1"))
                        && adapter.getBean(Registrations.class).pending() == 0);
    }

    @Test
    void nobodyElsesDeploymentIsRegisteredBeforeTheProviderAcceptsIt() throws Exception {
        HttpRequest stranger = HttpRequest.newBuilder(
                        request("GET", "/system/functions", "").uri())
                .header("Authorization", "Basic eDp5")
                .POST(BodyPublishers.ofString(deployment("evil", "internal.host/x:1")))
                .build();
        assertThat(http.send(stranger, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
        send("POST", "/system/functions", deployment("after", "r/after:1"));
        awaitRegistered(Map.of("after.openfaas-fn", "r/after:1"));
        assertThat(registry.registrations.get()).isEqualTo(1);
    }

    @Test
    void aHundredDeploymentsAtOnceAreAnsweredWhileTheRegistryIsSlowAndAllAreRegistered() throws Exception {
        registry.delay = Duration.ofSeconds(5);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(http.sendAsync(
                    request("POST", "/system/functions", deployment("f" + i, "r/f:" + i)), BodyHandlers.ofString()));
        }
        long begun = System.nanoTime();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        registry.delay = Duration.ZERO;
        Wait.until("100 registrations", () -> registry.functions().size() == 100);
    }

    @Test
    void withTheRegistryDownEverythingGoesOnWhatIsLostIsSaidAndItIsMadeUpLater() throws Exception {
        registry.failWith = 503;
        assertThat(send("POST", "/system/functions", deployment("hello", "r/hello:1")))
                .isEqualTo(200);
        assertThat(send("GET", "/function/hello", "")).isEqualTo(200);
        Wait.until("the loss", () -> {
            try {
                return management("/actuator/prometheus").contains("faasimage_adapter_registrations_lost_total 1.0");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(management("/actuator/health")).contains("DEGRADED", "asked to fail");
        registry.failWith = 0;
        awaitRegistered(Map.of("hello.openfaas-fn", "r/hello:1"));
    }

    @Test
    void whatHappenedWhileTheAdapterWasDownIsMadeUpForAndFunctionsOfOthersStay() throws Exception {
        send("POST", "/system/functions", deployment("gone", "r/gone:1"));
        awaitRegistered(Map.of("gone.openfaas-fn", "r/gone:1"));
        registry.put("manual.openfaas-fn", "r/manual:1");
        adapter.close();
        try (HttpClient direct = HttpClient.newHttpClient()) {
            for (String[] call :
                    new String[][] {{"DELETE", "{\"functionName\":\"gone\"}"}, {"POST", deployment("new", "r/new:1")}
                    }) {
                direct.send(
                        HttpRequest.newBuilder(URI.create(provider.uri() + "/system/functions"))
                                .header("Authorization", StandInProvider.AUTHORIZATION)
                                .method(call[0], BodyPublishers.ofString(call[1]))
                                .build(),
                        BodyHandlers.discarding());
            }
        }
        adapter = startAdapter();
        awaitRegistered(Map.of("new.openfaas-fn", "r/new:1", "manual.openfaas-fn", "r/manual:1"));
    }

    @Test
    void scalingHintsTheNodeOnceInAWhileWhenThereIsAPlan() throws Exception {
        registry.state = "PLANNED";
        send("POST", "/system/functions", deployment("hello", "r/hello:1"));
        awaitRegistered(Map.of("hello.openfaas-fn", "r/hello:1"));
        for (int i = 0; i < 3; i++) {
            send(
                    "POST",
                    "/system/scale-function/hello?namespace=openfaas-fn",
                    "{\"serviceName\":\"hello\",\"replicas\":1}");
        }
        Wait.until("the hint", () -> !warmed.isEmpty());
        send("POST", "/system/functions", deployment("later", "r/later:1"));
        Wait.until("later", () -> registry.functions().size() == 2);
        assertThat(warmed).containsExactly("warm " + StandInService.CHAIN);
    }

    @Test
    void oddNamesAreRegisteredWithoutHarm() throws Exception {
        String odd = "../../v1/x?purge=true\\u0000\\n";
        assertThat(send("POST", "/system/functions", deployment(odd, "r/x:1\\r\\nX: y")))
                .isEqualTo(200);
        Wait.until("a registration", () -> registry.functions().size() == 1);
        assertThat(registry.functions().keySet().iterator().next()).matches("x-[a-z0-9-]+-[0-9a-f]{16}");
        assertThat(send("DELETE", "/system/functions", "{\"functionName\":\"" + odd + "\"}"))
                .isEqualTo(200);
        awaitRegistered(Map.of());
    }

    @Test
    void aProviderThatIsDownMakesHealthDown() throws Exception {
        Wait.until("health", () -> health().contains("\"UP\""));
        provider.close();
        assertThat(health()).contains("\"DOWN\"", "no connection to");
    }

    private String health() {
        try {
            return management("/actuator/health");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void actionsOfOpenWhiskAndItsRuntimesAreRegistered() throws Exception {
        adapter.close();
        Path manifest = Files.writeString(directory.resolve("runtimes.json"), """
                {"runtimes":{"python":[{"kind":"python:3","image":{"prefix":"r","name":"py","tag":"1"}}]}}""");
        adapter = startAdapter("--faasimage.platform=openwhisk", "--faasimage.openwhisk.runtimes-manifest=" + manifest);

        Wait.until("the runtime", () -> registry.functions().containsValue("r/py:1"));
        String actions = "/api/v1/namespaces/guest/actions/";
        String body = "{\"exec\":{\"kind\":\"blackbox\",\"image\":\"r/hello:1\"}}";
        assertThat(send("PUT", actions + "refused", body)).isEqualTo(409);
        assertThat(send("PUT", actions + "hello?overwrite=true", body)).isEqualTo(200);
        Wait.until("the action", () -> registry.functions().containsValue("r/hello:1"));
        assertThat(registry.functions()).hasSize(2);
        assertThat(provider.requests)
                .anyMatch(request -> request.startsWith("PUT " + actions + "hello?overwrite=true"));
        assertThat(management("/actuator/health")).contains("\"status\":\"UP\"");

        assertThat(send("DELETE", actions + "hello", "")).isEqualTo(200);
        Wait.until("its end", () -> !registry.functions().containsValue("r/hello:1"));
    }
}
