package io.faasimage.node.link.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.node.NodeReport;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ServiceLinkTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Digest UNKNOWN = Digest.of("unknown".getBytes(StandardCharsets.UTF_8));

    private SmallService registry;
    private ServiceLink link;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
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
        assertThat(link.refusal()).isEmpty();
        assertThat(link.object(UNKNOWN)).isEmpty();
    }

    @Test
    void healthChecksDoNotOpenTheBreaker() {
        registry.serving = 503;
        registry.health = 503;
        for (int i = 0; i < 5; i++) {
            assertThat(link.reachable()).isFalse();
        }
        assertThat(link.refusal()).isEmpty();
        registry.close();
        assertThat(link.reachable()).isFalse();
        assertThat(link.refusal()).isEmpty();
    }

    @Test
    void aServiceThatHasNoTimeForReportsIsAskedForWhatStartsNeed() throws IOException {
        registry.reports = 429;
        NodeReport report = new NodeReport(
                "i",
                "1",
                Instant.parse("2026-01-01T00:00:00Z"),
                null,
                null,
                new NodeReport.Store(0, 0, null),
                0,
                0,
                0,
                0,
                Map.of(),
                0,
                0,
                List.of());
        assertThatThrownBy(() -> link.putNode("n", report)).isInstanceOf(ServiceBusyException.class);
        assertThat(link.object(UNKNOWN)).isEmpty();
        registry.reports = 202;
        assertThatCode(() -> link.putNode("n", report)).doesNotThrowAnyException();
    }

    @Test
    void healthChecksDoNotCloseTheBreakerEither() throws IOException {
        registry.planFailures.set(3);
        for (int i = 0; i < 3; i++) {
            askForPlan();
        }
        assertThat(link.refusal()).isPresent();
        assertThat(link.reachable()).isTrue();
        assertThat(link.refusal()).isPresent();
        assertThatThrownBy(link::checkThere).isInstanceOf(ServiceDownException.class);
    }

    @Test
    void oneFailureOpensNothing() {
        registry.planFailures.set(1);
        askForPlan();
        assertThat(link.refusal()).isEmpty();
    }

    private static BundleRequest plan() {
        String none = UNKNOWN.toString();
        return new BundleRequest(null, null, none, List.of(), true, false, null, List.of(), null, null, null, 0);
    }

    private void askForPlan() {
        assertThatThrownBy(() -> link.bundle(plan())).isInstanceOf(ServiceDownException.class);
    }

    @Test
    void failuresOfObjectsSayNothingOfPlans() {
        registry.objectFailures.set(5);
        registry.failure = 503;
        registry.retryAfter = "7";
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> link.object(UNKNOWN))
                    .isInstanceOfSatisfying(
                            ServiceDownException.class,
                            e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(7)));
        }
        assertThat(link.refusal()).isEmpty();
        assertThat(link.budget().left()).isEmpty();
        assertThat(link.failures()).isEqualTo(5);
    }

    @Test
    void aServiceThatIsGoneIsNotedAtOnceAndObjectsAreRequestedAllTheSame() {
        registry.close();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> link.object(UNKNOWN)).isInstanceOf(ServiceDownException.class);
        }
        assertThat(link.requests()).isEqualTo(2);
        assertThat(link.refusal())
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains(registry.address().toString()));
    }

    @Test
    void reportsAreNoEvidence() {
        registry.close();
        assertThatThrownBy(() -> link.postTrace(new byte[1])).isInstanceOf(ServiceDownException.class);
        assertThat(link.refusal()).isEmpty();
    }

    /** One that is too old, and those behind a proxy that keeps all but the API from nodes. */
    @ParameterizedTest
    @ValueSource(ints = {404, 401, 403})
    void whereOneMayNotAskWhetherItServesItsHealthTells(int status) {
        registry.serving = status;
        assertThat(link.reachable()).isTrue();
        registry.health = 503;
        assertThat(link.reachable()).isFalse();
    }
}
