package io.faasimage.adapter.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wrong answers of providers. */
class ProviderClientTest {
    private static final String LISTED = "[{\"name\":\"a\",\"image\":\"r/a:1\",\"replicas\":2}]";

    private final CountDownLatch end = new CountDownLatch(1);
    private final LoopbackServer provider = new LoopbackServer();
    private ProviderClient client;
    private volatile int status = 200;
    private volatile String answer = LISTED;
    private volatile boolean stalls;

    @BeforeEach
    void start() throws IOException {
        provider.on("/system/namespaces", exchange -> exchange.sendResponseHeaders(501, -1));
        provider.on("/system/functions", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, stalls ? body.length + 1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
            if (stalls) {
                end.await();
            }
        });
        client = new ProviderClient(provider.address(), Optional.empty(), "openfaas-fn", Duration.ofMillis(500));
    }

    @AfterEach
    void stop() {
        end.countDown();
        client.close();
        provider.close();
    }

    @Test
    void oneWithoutNamespacesIsAskedForTheDefaultOne() throws IOException {
        Deployment a = new Deployment(new FunctionKey("a", "openfaas-fn"), "r/a:1");
        assertThat(client.functions()).containsExactly(new ListedFunction(a, 2));
    }

    @Test
    void anAnswerThatStopsInItsMiddleIsGivenUp() {
        stalls = true;
        assertThatThrownBy(client::functions).isInstanceOf(IOException.class).hasMessageContaining("was cut off");
    }

    @Test
    void whatIsNoListSaysSo() {
        answer = "<html>";
        assertThatThrownBy(client::functions).hasMessageContaining("is it an OpenFaaS provider?");
        status = 401;
        answer = "invalid credentials";
        assertThatThrownBy(client::functions)
                .hasMessageContaining("invalid credentials")
                .hasMessageContaining("--faasimage.provider-user-file");
    }

    @Test
    void entriesWithoutNameOrImageAreLeftOut() throws IOException {
        answer = "[null,7,{},{\"name\":\"\",\"image\":\"x\"},{\"name\":\"b\"}," + LISTED.substring(1);
        assertThat(client.functions()).hasSize(1);
        answer = "{\"a\":[]}";
        assertThat(client.functions()).isEmpty();
    }
}
