package io.faasimage.node.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
    void theKernelHasIt() {
        assertThat(PassiveOpens.read()).isPresent();
    }
}
