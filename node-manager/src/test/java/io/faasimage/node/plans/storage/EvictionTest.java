package io.faasimage.node.plans.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.testing.Wait;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EvictionTest extends AbstractStorageTest {
    @Test
    void theLeastRecentlyUsedPlanIsEvictedAndPulledAgainAtItsNextStart() throws Exception {
        SamplePlan old = pulled(7);
        SamplePlan recent = pulled(8);
        long budget = STARTUP_BYTES + OWN_BYTES - 1000;
        keeper(budget).pass();
        assertThat(store.usage().bytes()).isLessThan(budget);
        assertThat(held(recent)).isEqualTo(15);
        assertThat(plans.states().isComplete(recent.digest())).isTrue();
        assertThat(held(old)).isBetween(5L, 14L);
        assertThat(shared(old)).allMatch(store::has);
        assertThat(plans.states().isComplete(old.digest())).isFalse();
        pull(old);
        assertThat(held(old)).isEqualTo(15);
        Wait.until("the mark", () -> plans.states().isComplete(old.digest()));
    }

    @Test
    void aStepOfTheClockDoesNotChangeTheOrderOfUse() throws Exception {
        now = now.plus(Duration.ofDays(9));
        SamplePlan old = pulled(7);
        now = now.minus(Duration.ofDays(18));
        SamplePlan recent = pulled(8);
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(recent)).isEqualTo(15);
        assertThat(held(old)).isLessThan(15);
    }

    @Test
    void whatContainersRunOnGoesLast() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan recent = pulled(8);
        mounted.add(used.plan().topChain());
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(held(recent)).isLessThan(15);
        keeper(OWN_BYTES).pass();
        assertThat(held(used)).as("the service gives it").isLessThan(15);
    }

    @Test
    void whatContainersRunOnStaysWhileItCannotBeFetchedAgain() throws Exception {
        SamplePlan used = pulled(7);
        mounted.add(used.plan().topChain());
        registry.close();
        keeper(1).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(events.recent().getLast().text()).contains("all of it is needed now");
    }

    @Test
    void theEndOfContainersIsTheLastUseOfTheirPlan() throws Exception {
        SamplePlan used = pulled(7);
        SamplePlan recent = pulled(8);
        mounted.add(used.plan().topChain());
        keeper(0).touchUsed();
        mounted.clear();
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(used)).isEqualTo(15);
        assertThat(held(recent)).isLessThan(15);
    }

    @Test
    void whatContainerdRemovedGoesFirst() throws Exception {
        SamplePlan old = pulled(7);
        SamplePlan removed = pulled(8);
        node.release(removed.plan().topChain(), () -> true);
        keeper(STARTUP_BYTES + OWN_BYTES - 1000).pass();
        assertThat(held(old)).isEqualTo(15);
        assertThat(held(removed)).isLessThan(15);
    }

    @Test
    void aDiskThatOthersFillStripsTheStoreToItsBoundOnly() throws Exception {
        pulled(7);
        pulled(8);
        long before = store.usage().bytes();
        free = () -> before - store.usage().bytes();
        StorageKeeper keeper = keeper(0, 1_000_000, STARTUP_BYTES);
        keeper.pass();
        keeper.pass();
        assertThat(store.usage().bytes()).isBetween(STARTUP_BYTES - 2_000L, (long) STARTUP_BYTES);
        keeper.pass();
        assertThat(store.usage().bytes()).isGreaterThanOrEqualTo(STARTUP_BYTES - 2_000L);
        assertThat(events.recent().getLast().text()).contains("--store-least");
    }

    @Test
    void evictionStopsWhenDroppingFreesNothing() throws Exception {
        pulled(7);
        pulled(8);
        long before = store.usage().bytes();
        free = () -> 1_000;
        StorageKeeper keeper = keeper(0, 5_000, 0);
        for (int i = 0; i < 5; i++) {
            keeper.pass();
        }
        assertThat(before - store.usage().bytes()).isEqualTo(4_000);
        assertThat(events.recent().getLast().text()).contains("eviction for free space pauses");
    }

    @Test
    void withinItsBudgetNothingGoes() throws Exception {
        SamplePlan sample = pulled(7);
        keeper(STARTUP_BYTES).pass();
        keeper(0).pass();
        assertThat(held(sample)).isEqualTo(15);
        assertThat(plans.states().isComplete(sample.digest())).isTrue();
    }

    @Test
    void whatIsBeingPulledIsNotEvicted() throws Exception {
        registry.first = 6;
        SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);
        registry.add(sample);
        registry.gate.drainPermits();
        registry.gate.release(1);
        assertThat(node.claim(sample.wanted())).isTrue();
        Wait.until("the objects", () -> held(sample) == 6);
        keeper(1).pass();
        assertThat(held(sample)).isEqualTo(6);
        assertThat(events.recent().getLast().text()).contains("all of it is needed now", "--store-budget");
        registry.gate.release(100);
        Wait.until("the objects", () -> held(sample) == 15);
    }

    @Test
    void whatContainersWithoutAGateMayReadIsNotEvicted() throws Exception {
        SamplePlan sample = pulled(7);
        mounted.add(sample.plan().topChain());
        node.retention().gateReplaced(true);
        Wait.until(
                "the objects", () -> sample.plan().objects().stream().allMatch(object -> store.has(object.digest())));
        Wait.until("the pulls to end", () -> pulls.running().isEmpty());
        keeper(1).pass();
        assertThat(store.usage().objects()).isEqualTo(18);
        mounted.clear();
        keeper(1).pass();
        assertThat(store.usage().objects()).isZero();
    }
}
