package io.faasimage.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.proxy.ExchangeMeters;
import io.faasimage.adapter.proxy.ProviderAddress;
import io.faasimage.adapter.proxy.ProxyConfig;
import io.faasimage.adapter.proxy.ProxyServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The provider's API request by request, as faas-cli and the gateway send it: once to a provider, once through the
 * proxy to another one. The answers, and the requests that the providers got, must be the same.
 */
class ProviderContractTest {
    private static final String DEPLOY = """
            {"service":"fn1","image":"127.0.0.1:5000/fn1:1","namespace":"","envProcess":"","envVars":{"K":"V"},\
            "labels":{"com.openfaas.scale.zero":"true"},"annotations":{},"secrets":["s1"]}""";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** One request; credentials are sent when {@code authorized}. */
    private record Call(String method, String uri, String body, boolean authorized) {}

    private static Call system(String method, String uri, String body) {
        return new Call(method, uri, body, true);
    }

    /**
     * faas-cli login, secret create, deploy (update first), list, describe, ready, invoke, logs, scaling, replace,
     * remove.
     */
    private static Stream<Call> calls() {
        return Stream.concat(deployments(), Stream.concat(invocations(), rest()));
    }

    private static Stream<Call> deployments() {
        return Stream.of(
                new Call("GET", "/system/functions", "", false),
                system("GET", "/system/functions", ""),
                system("POST", "/system/secrets", "{\"name\":\"s1\",\"value\":\"v\"}"),
                system("GET", "/system/secrets?namespace=", ""),
                system("PUT", "/system/functions", DEPLOY),
                system("POST", "/system/functions", DEPLOY),
                system("PUT", "/system/functions", DEPLOY.replace("fn1:1", "fn1:2")),
                system("POST", "/system/functions", "{\"service\":\"bad\",\"image\":\"cannot-be-pulled\"}"),
                system("POST", "/system/functions", "not json"),
                system("GET", "/system/functions?namespace=openfaas-fn", ""),
                system("GET", "/system/function/fn1?namespace=&usage=1", ""),
                system("GET", "/system/function/unknown", ""),
                system("GET", "/system/info", ""));
    }

    private static Stream<Call> invocations() {
        return Stream.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")
                .flatMap(method -> Stream.of("/function/fn1", "/function/fn1.openfaas-fn/a%2Fb/?q=%C3%BC&x=%20+")
                        .map(uri -> new Call(method, uri, method.equals("POST") ? "body\0\r\n" : "", false)));
    }

    private static Stream<Call> rest() {
        return Stream.of(
                system("GET", "/system/logs?name=fn1&namespace=&instance=&tail=-1&follow=false", ""),
                system(
                        "POST",
                        "/system/scale-function/fn1?namespace=openfaas-fn",
                        "{\"serviceName\":\"fn1\",\"replicas\":0}"),
                system("GET", "/system/function/fn1?namespace=openfaas-fn&usage=", ""),
                system(
                        "POST",
                        "/system/scale-function/fn1?namespace=openfaas-fn",
                        "{\"serviceName\":\"fn1\",\"replicas\":1}"),
                system("POST", "/system/scale-function/no", "{\"serviceName\":\"no\",\"replicas\":1}"),
                system("GET", "/system/namespaces", ""),
                system("POST", "/system/namespace/", "{\"name\":\"team1\",\"labels\":{\"openfaas\":\"1\"}}"),
                system("PUT", "/system/secrets", "{\"name\":\"s1\",\"value\":\"w\"}"),
                system("DELETE", "/system/functions", "{\"functionName\":\"fn1\",\"namespace\":\"openfaas-fn\"}"),
                system("DELETE", "/system/functions", "{\"functionName\":\"fn1\",\"namespace\":\"openfaas-fn\"}"),
                system("GET", "/system/telemetry", ""),
                new Call("GET", "/healthz", "", false),
                new Call("HEAD", "/healthz", "", false),
                new Call("GET", "/metrics", "", false));
    }

    @Test
    void everyAnswerIsTheProvidersOwn() throws Exception {
        try (StandInProvider direct = new StandInProvider();
                StandInProvider behind = new StandInProvider();
                ProxyServer proxy = proxy(behind)) {
            URI front = URI.create("http://127.0.0.1:" + proxy.address().getPort());
            for (Call call : calls().toList()) {
                assertThat(send(front, call)).as("%s", call).isEqualTo(send(direct.uri(), call));
            }
            assertThat(behind.requests).isEqualTo(direct.requests).hasSize((int) calls().count());
        }
    }

    private String send(URI base, Call call) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + call.uri()))
                .timeout(Duration.ofSeconds(20))
                .method(
                        call.method(),
                        call.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body()))
                .header("X-Call-Id", "7")
                .header("X-Request-Id", "8")
                .header("Accept", "*/*");
        if (call.authorized()) {
            request.header("Authorization", StandInProvider.AUTHORIZATION);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return response.statusCode() + " " + headers + " " + response.body();
    }

    private static ProxyServer proxy(StandInProvider provider) throws IOException {
        return new ProxyServer(
                new ProxyConfig(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new ProviderAddress("127.0.0.1", provider.uri().getPort()),
                        2,
                        100,
                        Duration.ofSeconds(2),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(100)),
                (method, uri, authorization) -> Optional.empty(),
                new ExchangeMeters() {
                    @Override
                    public void ended(String method, String uri, int status, long nanos) {}

                    @Override
                    public void providerFailed(String reason) {
                        throw new AssertionError(reason);
                    }
                });
    }
}
