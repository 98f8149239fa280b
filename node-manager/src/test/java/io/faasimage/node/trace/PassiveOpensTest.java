package io.faasimage.node.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PassiveOpensTest {
    @Test
    void isTheNumberBelowItsName() {
        List<String> lines = List.of(
                "Ip: Forwarding DefaultTTL",
                "Ip: 1 64",
                "Tcp: RtoAlgorithm RtoMin ActiveOpens PassiveOpens AttemptFails",
                "Tcp: 1 200 -1 42 7");
        assertThat(PassiveOpens.parse(lines)).hasValue(42);
        assertThat(PassiveOpens.parse(lines.subList(0, 3))).isEmpty();
        assertThat(PassiveOpens.parse(List.of("Tcp: RtoMin", "Tcp: 1"))).isEmpty();
    }

    @Test
    void whatWasAcceptedBeforeTheFirstAttemptCountsIfThatSucceeded() {
        assertThat(PassiveOpens.areOwn(OptionalLong.of(1), OptionalLong.of(2), 1, true))
                .isTrue();
        assertThat(PassiveOpens.areOwn(OptionalLong.of(1), OptionalLong.of(2), 1, false))
                .isFalse();
        assertThat(PassiveOpens.areOwn(OptionalLong.of(0), OptionalLong.of(1), 1, false))
                .isTrue();
    }

    @Test
    void theKernelHasIt() {
        assertThat(PassiveOpens.read()).isPresent();
    }
}
