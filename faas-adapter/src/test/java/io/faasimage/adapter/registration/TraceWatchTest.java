package io.faasimage.adapter.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.StandInProvider;
import io.faasimage.adapter.StandInService;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Until when a trace is awaited, by a clock of the test. */
class TraceWatchTest {
    private static final FunctionKey HELLO = new FunctionKey("hello", "openfaas-fn");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private StandInProvider provider;
    private StandInService registry;
    private ProviderClient providerClient;
    private ServiceClient registryClient;
    private TraceWatch watch;

    @BeforeEach
    void start() throws IOException {
        provider = new StandInProvider();
        registry = new StandInService();
        providerClient =
                new ProviderClient(provider.uri(), Optional.of(StandInProvider.AUTHORIZATION), "openfaas-fn", PATIENCE);
        registryClient = new ServiceClient(ServiceConfig.of(registry.uri(), () -> Optional.of("token")));
        watch = new TraceWatch(providerClient, registryClient, PATIENCE, 2, () -> now);
        registry.put(HELLO.registeredName(), "r/hello:1");
    }

    @AfterEach
    void stop() {
        providerClient.close();
        registryClient.close();
        registry.close();
        provider.close();
    }

    private void looksAfter(Duration time) {
        now = now.plus(time);
        watch.run();
    }

    private void assertWatch(int waiting, int untraced) {
        assertThat(watch.waiting()).isEqualTo(waiting);
        assertThat(watch.untraced()).isEqualTo(untraced);
    }

    @Test
    void aTraceInTimeEndsTheWatch() {
        provider.put("hello", "r/hello:1", 1);
        watch.registered(HELLO);
        looksAfter(Duration.ZERO);
        assertWatch(1, 0);
        registry.state = "REFACTORING";
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(0, 0);
    }

    @Test
    void noneWithinThePatienceFromTheFirstReplicaIsSaidOnce() {
        provider.put("hello", "r/hello:1", 0);
        watch.registered(HELLO);
        looksAfter(Duration.ofDays(1));
        assertWatch(1, 0);
        provider.put("hello", "r/hello:1", 1);
        looksAfter(Duration.ofSeconds(10));
        looksAfter(PATIENCE);
        assertWatch(1, 0);
        looksAfter(Duration.ofSeconds(1));
        assertWatch(0, 1);
        looksAfter(Duration.ofDays(1));
        assertWatch(0, 1);
    }

    @Test
    void aTraceThatComesLateIsNoLongerMissing() {
        provider.put("hello", "r/hello:1", 1);
        watch.registered(HELLO);
        looksAfter(Duration.ZERO);
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(0, 1);
        registry.state = "PLANNED";
        looksAfter(Duration.ofSeconds(10));
        assertWatch(0, 0);
        assertThat(watch.missed()).isEqualTo(1);
    }

    @Test
    void anUpdateIsWatchedFromItsOwnFirstReplica() {
        provider.put("hello", "r/hello:1", 1);
        watch.registered(HELLO);
        looksAfter(Duration.ZERO);
        watch.registered(HELLO);
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(1, 0);
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(0, 1);
    }

    @Test
    void whatWasReleasedIsNoLongerWatched() {
        FunctionKey other = new FunctionKey("other", "openfaas-fn");
        watch.registered(HELLO);
        watch.registered(other);
        watch.forget(HELLO);
        assertWatch(1, 0);
        looksAfter(Duration.ZERO);
        assertThat(watch.waiting()).as("the registry does not know it").isZero();
    }

    @Test
    void whileNobodyAnswersThePatienceIsNotJudged() {
        provider.put("hello", "r/hello:1", 1);
        watch.registered(HELLO);
        looksAfter(Duration.ZERO);
        registry.failWith = 500;
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(1, 0);
        registry.failWith = 0;
        registry.state = "PLANNED";
        looksAfter(Duration.ZERO);
        assertWatch(0, 0);
    }

    @Test
    void theWatchIsBoundedButAFunctionInItIsWatchedAnew() {
        provider.put("hello", "r/hello:1", 1);
        watch.registered(HELLO);
        watch.registered(new FunctionKey("second", "openfaas-fn"));
        watch.registered(new FunctionKey("third", "openfaas-fn"));
        assertWatch(2, 0);
        registry.put("second.openfaas-fn", "r/second:1");
        looksAfter(Duration.ZERO);
        watch.registered(HELLO);
        looksAfter(PATIENCE.plusSeconds(1));
        assertWatch(2, 0);
    }
}
