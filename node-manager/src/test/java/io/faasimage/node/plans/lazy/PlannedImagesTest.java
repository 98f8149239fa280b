package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlannedImagesTest extends AbstractPlannedImagesTest {
    @Test
    void aColdStartOfAnImageAskedForByItsTopIsOneRoundTrip() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 100;
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan");
        assertThat(Files.readAllBytes(
                        plans.images().path(sample.plan().layers().getLast().metadata())))
                .isEqualTo(sample.content(sample.plan().layers().getLast().metadata()));
    }

    @Test
    void theLayersOfAnImageCostOneRoundTrip() throws Exception {
        SamplePlan sample = served(7);
        served(8);
        registry.first = 100;
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan");
    }

    @Test
    void whatTheFirstAnswerDidNotBringIsAskedFor() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan", "bundle 6-15");
    }

    /** Frames are of no use to a node without packs unless it has all of an object. */
    @Test
    void whatTheFirstAnswerBringsOnlyInPartIsAskedForAsAWhole() throws Exception {
        SamplePlan sample = new SamplePlan(7, 1, 1, 200_000, List.of(new IndexRange(1, 2), new IndexRange(3, 4)));
        registry.add(sample);
        registry.first = 100;
        assertThat(isPlanned(sample)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests())
                .startsWith("bundle plan")
                .hasSizeBetween(2, 4)
                .noneMatch(l -> l.startsWith("object"));
    }

    @Test
    void thePullBeginsBeforeTheMetadataImageHasCome() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        registry.documents.drainPermits();
        CompletableFuture<Boolean> planned = CompletableFuture.supplyAsync(() -> isPlanned(sample));
        awaitRequests(2);
        assertThat(planned).isNotDone();
        registry.documents.release();
        assertThat(planned.get(10, TimeUnit.SECONDS)).isTrue();
        awaitHeld(sample);
        assertThat(registry.requests()).containsExactly("bundle plan", "bundle 6-15");
    }

    @Test
    void objectsThatWereToComeAfterADamagedMetadataImageAreAskedFor() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        registry.damage(sample.plan().layers().getLast().metadata());
        assertThat(isPlanned(sample)).isFalse();
        awaitHeld(sample);
    }

    @Test
    void aStartBeginsItsPullOnce() throws Exception {
        SamplePlan sample = served(7);
        registry.first = 6;
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(isPlanned(sample)).isTrue();
        start(sample.plan().topChain());
        assertThat(startup(sample).complete()).isTrue();
        start(sample.plan().topChain());
        Wait.until("the state", () -> plans.states().isPresent(sample.digest()));
        assertThat(pulls.finished()).hasSize(1);
        assertThat(pulls.running()).isEmpty();
    }

    @Test
    void aClaimOfALowerLayerPullsNothing() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample, base(sample))).isTrue();
        awaitHeld(sample);
        assertThat(isPlanned(sample, base(sample))).isTrue();
        assertThat(pulls.running()).isEmpty();
        assertThat(pulls.finished()).hasSize(1);
    }

    @Test
    void plansSurviveARestartWithoutTheRegistry() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).complete()).isTrue();
        shut();
        registry.close();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).held()).isEqualTo(15);
        assertThat(pulls.finished().getFirst().requests()).isZero();
    }

    @Test
    void aDamagedPlanOnTheDiskIsRemovedAndAskedForAgain() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        Path file = root.resolve("plans").resolve(sample.digest().hex());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        shut();
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(file).doesNotExist();
        assertThat(isPlanned(sample)).isTrue();
        assertThat(file).exists();
    }

    @Test
    void aDamagedMetadataImageIsNotPublished() {
        SamplePlan sample = served(7);
        registry.damage(sample.plan().layers().getLast().metadata());
        assertThat(isPlanned(sample)).isFalse();
        assertThat(plans.images().has(sample.plan().layers().getLast().metadata()))
                .isFalse();
        assertThat(root.resolve("metadata")).isEmptyDirectory();
    }

    @Test
    void theSecondFunctionSaysWhatIsHeldAndMovesOnlyItsOwn() throws Exception {
        SamplePlan first = served(7);
        SamplePlan second = served(8);
        registry.first = 100;
        isPlanned(first);
        awaitHeld(first);
        Wait.until("the state", () -> plans.states().isComplete(first.digest()));
        isPlanned(second);
        awaitHeld(second);
        PullReport report = pulls.finished().getLast();
        assertThat(report.held()).isEqualTo(5);
        assertThat(report.objects()).isEqualTo(10);
        assertThat(report.requests()).isZero();
    }

    @Test
    void aPlanThatLacksSomethingIsNotCompleteAnyMore() throws Exception {
        SamplePlan sample = served(7);
        registry.damage(sample.plan().startup().getFirst().digest());
        registry.damagedSingly = true;
        isPlanned(sample);
        startup(sample);
        // Its end takes the mark away.
        Wait.until("the end", () -> plans.states().failedWithin(sample.digest(), Duration.ofMinutes(1)));
        shut();
        Files.createFile(root.resolve("plans").resolve(sample.digest().hex() + ".complete"));
        open(registry.link(Duration.ofSeconds(30)), Optional.empty());
        assertThat(plans.states().isComplete(sample.digest())).isTrue();
        assertThat(startup(sample).missing()).isEqualTo(1);
        Wait.until("the mark to go", () -> !plans.states().isComplete(sample.digest()));
    }

    @Test
    void aGateThatNobodyUsedNeedsNoPull() {
        SamplePlan sample = served(7);
        isPlanned(sample);
        node.retention().gateReplaced(true);
        assertThat(pulls.running(sample.digest(), Part.REST)).isEmpty();
        assertThat(List.copyOf(pulls.finished())).isEmpty();
    }
}
