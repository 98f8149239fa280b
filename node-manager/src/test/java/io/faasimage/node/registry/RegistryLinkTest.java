package io.faasimage.node.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RegistryLinkTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Digest UNKNOWN = Digest.of("unknown".getBytes(StandardCharsets.UTF_8));

    private SmallRegistry registry;
    private RegistryLink link;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallRegistry();
        link = registry.link(LONG);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    @Test
    void aServiceWhoseBucketIsAwayIsReachableAndAskedOn() throws IOException {
        registry.health = 503;
        assertThat(link.reachable()).isTrue();
        assertThat(link.refusal()).isEmpty();
        // What it does not have in its cache it cannot give.
        assertThat(link.givesWithin(LONG)).isFalse();
        assertThat(link.refusal()).isEmpty();
        assertThat(link.object(UNKNOWN)).isEmpty();
        assertThat(link.givesWithin(LONG)).isTrue();
        assertThat(link.givesWithin(Duration.ZERO)).isFalse();
        registry.health = 200;
        assertThat(link.givesWithin(Duration.ZERO)).isTrue();
    }

    @Test
    void aServiceThatDoesNotServeIsNotAskedForAWhile() {
        registry.serving = 503;
        registry.health = 503;
        assertThat(link.reachable()).isFalse();
        assertThat(link.refusal())
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains(registry.address().toString()));
        assertThatThrownBy(() -> link.object(UNKNOWN)).isInstanceOf(RegistryDownException.class);
        registry.serving = 200;
        assertThat(link.reachable()).isTrue();
        assertThat(link.refusal()).isEmpty();
    }

    @Test
    void aServiceThatIsGoneIsNotAskedForAWhileEither() {
        registry.close();
        assertThat(link.givesWithin(LONG)).isFalse();
        assertThat(link.refusal()).isPresent();
    }

    /** One that is too old, and those behind a proxy that keeps all but the API from nodes. */
    @ParameterizedTest
    @ValueSource(ints = {404, 401, 403})
    void whereOneMayNotAskWhetherItServesItsHealthTells(int status) {
        registry.serving = status;
        assertThat(link.reachable()).isTrue();
        assertThat(link.givesWithin(LONG)).isTrue();
        registry.health = 503;
        assertThat(link.reachable()).isFalse();
        assertThat(link.refusal()).isPresent();
    }
}
