package io.faasimage.adapter.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.StandInService;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hints to nodes, and their limits. */
class WarmHintsTest {
    private static final FunctionKey HELLO = new FunctionKey("hello", "openfaas-fn");

    private final List<String> warmed = new CopyOnWriteArrayList<>();
    private StandInService registry;
    private ServiceClient client;
    private WarmHints hints;

    @BeforeEach
    void start() throws IOException {
        registry = new StandInService();
        registry.state = "PLANNED";
        registry.put(HELLO.registeredName(), "r/hello:1");
        client = new ServiceClient(ServiceConfig.of(registry.uri(), Optional.of("token")));
        WarmHints.Node broken = chain -> {
            throw new IOException("no node agent here");
        };
        hints = new WarmHints(client, List.of(broken, warmed::add), Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() {
        hints.close();
        client.close();
        registry.close();
    }

    @Test
    void aNodeThatFailsKeepsTheHintFromNoOther() {
        hints.likely(HELLO);
        hints.likely(HELLO);
        Wait.until("the hint", () -> hints.sent() == 1);
        assertThat(warmed).containsExactly(StandInService.CHAIN);
        assertThat(hints.failed()).isEqualTo(1);
    }

    @Test
    void oneThatTheRegistryDoesNotKnowIsAFailureAndOneWithoutAPlanIsNot() {
        hints.likely(new FunctionKey("unknown", "openfaas-fn"));
        Wait.until("the failure", () -> hints.failed() == 1);
        registry.state = "UNTRACED";
        hints.likely(HELLO);
        hints.likely(new FunctionKey("unknown-too", "openfaas-fn"));
        Wait.until("the failure after the one without a plan", () -> hints.failed() == 2);
        registry.failWith = 503;
        hints.likely(new FunctionKey("last", "openfaas-fn"));
        Wait.until("the last one", () -> hints.failed() == 3);
        assertThat(warmed).isEmpty();
    }
}
