package io.faasimage.node.plans.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.plans.plan.StoredPlan;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PruningTest extends AbstractStorageTest {
    @Test
    void aPlanIsForgottenWhenNobodyUsesItAndContainerdDoesNotHaveItsImage() throws Exception {
        SamplePlan unused = pulled(7);
        SamplePlan had = pulled(8);
        SamplePlan running = pulled(9);
        claimed.add(had.plan().topChain());
        mounted.add(running.plan().topChain());
        StorageKeeper keeper = keeper(0);
        plans.uses().hourPassed();
        now = now.plus(Duration.ofDays(999));
        keeper.forgetUnused();
        assertThat(plans.all()).hasSize(3);
        plans.uses().hourPassed();
        keeper.forgetUnused();
        assertThat(plans.all())
                .extracting(StoredPlan::digest)
                .containsExactlyInAnyOrder(had.digest(), running.digest());
        assertThat(plans.images().has(unused.plan().layers().getLast().metadata()))
                .isFalse();
        assertThat(plans.images().has(had.plan().layers().getLast().metadata())).isTrue();
    }

    @Test
    void pruneDropsWhatNoPlanNeeds() throws Exception {
        SamplePlan sample = pulled(7);
        byte[] stray = {1, 2, 3};
        store.publish(Digest.of(stray), ByteBuffer.wrap(stray));
        assertThat(keeper(0).prune(false)).isEqualTo(new PruneOutcome(1, 3, 0, 0, 0, 1));
        assertThat(held(sample)).isEqualTo(15);
        assertThat(plans.states().isComplete(sample.digest())).isTrue();
    }

    @Test
    void pruneAllLeavesAnEmptyNodeThatPullsAgain() throws Exception {
        SamplePlan sample = pulled(7);
        PruneOutcome pruned = keeper(0).prune(true);
        assertThat(pruned).isEqualTo(new PruneOutcome(15, STARTUP_BYTES, 1, 1, 9_000, 0));
        assertThat(plans.all()).isEmpty();
        assertThat(root.resolve("metadata")).isEmptyDirectory();
        assertThat(store.usage().objects()).isZero();
        int before = registry.requests().size();
        assertThat(node.claim(sample.wanted())).isTrue();
        assertThat(registry.requests()).hasSizeGreaterThan(before);
        pull(sample);
        assertThat(held(sample)).isEqualTo(15);
    }

    @Test
    void pruneAllKeepsWhatIsMounted() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan unused = pulled(8);
        mounted.add(used.plan().topChain());
        assertThat(keeper(0).prune(true).keptPlans()).isEqualTo(1);
        assertThat(held(used)).isEqualTo(15);
        assertThat(plans.states().isComplete(used.digest())).isTrue();
        assertThat(own(unused)).noneMatch(store::has);
        assertThat(plans.find(unused.plan().topChain())).isEmpty();
        assertThat(plans.find(used.plan().topChain())).isPresent();
    }
}
