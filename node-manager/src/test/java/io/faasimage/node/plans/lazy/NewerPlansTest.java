package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.link.service.SamplePlan;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewerPlansTest extends AbstractPlannedImagesTest {
    @Test
    void aNewerPlanIsUsedByTheStartAfterTheNext() throws Exception {
        SamplePlan old = served(7);
        ChainId top = old.plan().topChain();
        assertThat(isPlanned(old)).isTrue();
        assertThat(startup(old).failures()).isEmpty();
        SamplePlan newer = new SamplePlan(7, 5, 6, 2_000);
        registry.add(newer);
        int before = registry.requests().size();
        start(top);
        awaitHeld(newer);
        assertThat(plans.find(top).orElseThrow().digest()).isEqualTo(newer.digest());
        assertThat(registry.requests().subList(before, before + 2)).containsExactly("bundle which", "bundle plan");
    }

    @Test
    void aPlanThatIsTheNewestIsNotSentAgain() throws Exception {
        SamplePlan sample = served(7);
        assertThat(isPlanned(sample)).isTrue();
        assertThat(startup(sample).complete()).isTrue();
        int before = registry.requests().size();
        start(sample.plan().topChain());
        awaitRequests(before + 1);
        node.close();
        assertThat(registry.requests().subList(before, registry.requests().size()))
                .containsExactly("bundle which");
    }

    @Test
    void aPlanThatIsRemovedAfterAStartIsNotAskedForAgain() throws Exception {
        SamplePlan removed = served(7);
        SamplePlan stays = served(8);
        assertThat(isPlanned(removed)).isTrue();
        assertThat(startup(removed).complete()).isTrue();
        assertThat(isPlanned(stays)).isTrue();
        assertThat(startup(stays).complete()).isTrue();
        int before = registry.requests().size();
        start(removed.plan().topChain());
        node.remove(List.of(plans.find(removed.plan().topChain()).orElseThrow()));
        start(stays.plan().topChain());
        awaitRequests(before + 1);
        node.close();
        assertThat(registry.requests().subList(before, registry.requests().size()))
                .containsExactly("bundle which");
        assertThat(plans.find(removed.plan().topChain())).isEmpty();
    }

    @Test
    void aPlanThatTheServiceHasForgottenIsReplacedByTheNewest() throws Exception {
        SamplePlan old = served(7);
        ChainId top = old.plan().topChain();
        registry.rangeFailures.set(1);
        registry.failure = 404;
        SamplePlan newer = new SamplePlan(7, 5, 6, 2_000);
        assertThat(isPlanned(old)).isTrue();
        registry.forget(old);
        registry.add(newer);
        assertThat(startup(old).complete()).isFalse();
        awaitHeld(newer);
        assertThat(plans.find(top).orElseThrow().digest()).isEqualTo(newer.digest());
    }
}
