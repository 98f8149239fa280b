package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.service.SamplePlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClaimCheckTest extends AbstractPlannedImagesTest {
    @Test
    void anImageThatOnlyClaimsTheLayersOfAnotherIsOrdinary() {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        Digest forged = Digest.of(new byte[] {6});
        for (ChainId chain : List.of(base(sample), sample.plan().topChain())) {
            assertThat(node.claim(new WantedLayer(chain, Optional.of(forged), PullProof.Purpose.START, 1, "default")))
                    .isFalse();
            assertThat(node.claim(new WantedLayer(chain, Optional.empty(), PullProof.Purpose.START, 1, "default")))
                    .isFalse();
        }
        assertThat(events.recent().getLast().text()).contains("the manifest of the pulled image is unknown");
    }

    @Test
    void ofSeveralManifestsWithOneLayerAllMustBeKnown() {
        SamplePlan sample = served(7);
        Digest known = sample.plan().image();
        Digest forged = Digest.of(new byte[] {6});
        WantedLayer layer = new WantedLayer(base(sample), Optional.empty(), PullProof.Purpose.START, 1, "default");
        manifests = wanted -> List.of(known, forged);
        assertThat(node.claim(layer)).isFalse();
        Digest other = Digest.of(new byte[] {7});
        registry.shown.put(other, List.of(base(sample)));
        manifests = wanted -> List.of(known, other);
        assertThat(node.claim(layer)).isTrue();
    }

    @Test
    void layersThatTheRegistryWasShownArePlannedForAnImageWithoutAPlan() {
        SamplePlan sample = served(7);
        Digest other = Digest.of(new byte[] {6});
        registry.shown.put(other, List.of(base(sample)));
        assertThat(node.claim(new WantedLayer(base(sample), Optional.of(other), PullProof.Purpose.START, 1, "default")))
                .isTrue();
        assertThat(node.claim(new WantedLayer(
                        sample.plan().topChain(), Optional.of(other), PullProof.Purpose.START, 1, "default")))
                .isFalse();
    }

    @Test
    void whatTheRegistryDoesNotKnowIsNotPlannedAndAskedForAgain() {
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        SamplePlan late = served(7);
        assertThat(isPlanned(late)).isTrue();
    }

    @Test
    void aRegistryThatIsDownMeansNotPlannedWithAReasonAndNoFurtherWait() {
        registry.close();
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        assertThat(events.recent())
                .singleElement()
                .satisfies(e -> assertThat(e.severity()).isEqualTo(Event.Severity.FALLBACK))
                .satisfies(
                        e -> assertThat(e.text()).contains("is treated as unplanned", "is registry-service running"));
        assertThat(isPlanned(new SamplePlan(99, 1, 1, 10))).isFalse();
        assertThat(events.recent().getLast().text()).contains("failed a moment ago");
    }

    @Test
    void aRegistryThatHangsIsGivenUp() {
        SamplePlan sample = served(7);
        registry.gate.drainPermits();
        assertThat(isPlanned(sample)).isFalse();
        registry.gate.release(10);
        assertThat(events.recent()).isNotEmpty();
    }

    @Test
    void allThatWaitForTheSameAnswerGiveUp() throws Exception {
        SamplePlan sample = served(7);
        registry.gate.drainPermits();
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> isPlanned(sample));
        awaitRequests(1);
        assertThat(isPlanned(sample)).isFalse();
        registry.gate.release(10);
        assertThat(first.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aHeldPlanNeedsNoRegistryForAnyOfItsLayers() {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        registry.close();
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(isPlanned(sample)).isTrue();
    }

    @Test
    void aKernelWithoutTheMountsMeansOrdinaryImages() throws Exception {
        SamplePlan sample = served(7);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.of("no EROFS"));
        assertThat(isPlanned(sample)).isFalse();
        assertThat(registry.requests()).isEmpty();
        assertThat(events.recent().getLast().text()).contains("no EROFS");
    }

    @Test
    void withoutAGateImagesAreOrdinary() {
        SamplePlan sample = served(7);
        gateDown = Optional.of("the gate is down (no FUSE)");
        assertThat(isPlanned(sample)).isFalse();
        assertThat(events.recent().getLast().text()).contains("no FUSE");
        gateDown = Optional.empty();
        assertThat(isPlanned(sample)).isTrue();
    }
}
