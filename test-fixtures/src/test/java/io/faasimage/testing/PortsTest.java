package io.faasimage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PortsTest {
    /** With so many of the 1,500 ports of a process drawn at random, two are alike in all but one of 10^12 runs. */
    private static final int DRAWN = 300;

    @Test
    void noPortIsGivenTwice() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < DRAWN; i++) {
            assertThat(ports.add(Ports.free())).isTrue();
        }
    }
}
