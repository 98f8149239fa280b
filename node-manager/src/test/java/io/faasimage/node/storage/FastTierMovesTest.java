package io.faasimage.node.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.node.service.SamplePlan;
import io.faasimage.store.FastTier;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FastTierMovesTest extends AbstractStorageTest {
    private void reopenWithFastTier() throws IOException {
        shut();
        open(Optional.of(new FastTier(fast, FAST_BYTES)));
    }

    @Test
    void aFullFastTierGivesWayToWhatStartsNow() throws Exception {
        reopenWithFastTier();
        SamplePlan first = pulled(7);
        SamplePlan second = pulled(8);
        SamplePlan third = pulled(9);
        assertThat(store.usage(Tier.FAST).bytes()).isBetween(FAST_BYTES - 2_000, FAST_BYTES);
        assertThat(store.usage(Tier.CAPACITY).bytes()).isPositive();
        keeper(0).pass();
        assertThat(store.usage(Tier.FAST).bytes()).isLessThanOrEqualTo(FAST_BYTES * 75 / 100);
        assertThat(own(first)).anyMatch(object -> isIn(Tier.CAPACITY, object));
        assertThat(shared(first)).allMatch(object -> isIn(Tier.FAST, object));
        assertThat(own(second)).allMatch(object -> isIn(Tier.FAST, object));
        assertThat(held(first) + held(second) + held(third)).isEqualTo(45);
        assertThat(plans.marks().isComplete(first.digest())).isTrue();
    }

    @Test
    void whatStartsOftenComesToTheFastTier() throws Exception {
        SamplePlan sample = pulled(7);
        reopenWithFastTier();
        node.starting(sample.plan().topChain());
        keeper(0).pass();
        assertThat(store.usage(Tier.FAST).objects()).as("after one start").isZero();
        now = now.plusSeconds(60);
        node.starting(sample.plan().topChain());
        keeper(0).pass();
        assertThat(sample.plan().startup()).allMatch(object -> isIn(Tier.FAST, object.digest()));
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
    }

    @Test
    void startsAreRememberedAcrossRestartsForAWhile() throws Exception {
        SamplePlan sample = pulled(7);
        node.starting(sample.plan().topChain());
        node.starting(sample.plan().topChain());
        plans.uses().flush();
        long used = plans.uses().last(sample.digest());
        shut();
        open(Optional.empty());
        assertThat(plans.uses().last(sample.digest())).isEqualTo(used).isPositive();
        assertThat(plans.uses().starts(sample.digest(), now.minusSeconds(3600))).isEqualTo(2);
        assertThat(plans.uses().starts(sample.digest(), now.plusSeconds(1))).isZero();
    }

    @Test
    void anotherFastTierMakesThePlansIncomplete() throws Exception {
        SamplePlan sample = pulled(7);
        plans.marks().useFastTier(Optional.empty(), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
        plans.marks().useFastTier(Optional.of("a"), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isFalse();
        shut();
        open(Optional.empty());
        pull(sample);
        // A process that ends has flushed, and writes no mark later.
        shut();
        open(Optional.empty());
        plans.marks().useFastTier(Optional.of("a"), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isTrue();
        plans.marks().useFastTier(Optional.empty(), plans.all());
        assertThat(plans.marks().isComplete(sample.digest())).isFalse();
    }

    private boolean isIn(Tier tier, Digest object) {
        return store.tierOf(object).filter(tier::equals).isPresent();
    }
}
