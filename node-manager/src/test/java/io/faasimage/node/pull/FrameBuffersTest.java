package io.faasimage.node.pull;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FrameBuffersTest {
    private static final int BYTES = 256 << 10;
    private static final int MIDDLING = 100 << 10;

    private final FrameBuffers buffers = new FrameBuffers(BYTES, 2);

    @Test
    void usesArraysOfMiddlingSizeAgain() {
        byte[] first = buffers.take(MIDDLING);
        assertThat(first).hasSize(BYTES).isNotSameAs(buffers.take(MIDDLING));
        buffers.giveBack(first);
        assertThat(buffers.take(MIDDLING + 1)).isSameAs(first);
        assertThat(buffers.take(MIDDLING)).isNotSameAs(first);
    }

    @Test
    void chargesWhatIsHeld() {
        assertThat(buffers.cost(MIDDLING)).isEqualTo(BYTES);
        assertThat(buffers.cost(5000)).isEqualTo(buffers.take(5000).length).isEqualTo(5000);
        assertThat(buffers.cost(1)).isEqualTo(PullConfig.SMALLEST_IN_FLIGHT);
    }

    @Test
    void keepsNoMoreThanItsNumberAndNothingAfterADrop() {
        byte[] first = buffers.take(MIDDLING);
        byte[] second = buffers.take(MIDDLING);
        byte[] third = buffers.take(MIDDLING);
        buffers.giveBack(first);
        buffers.giveBack(second);
        buffers.giveBack(third);
        assertThat(buffers.take(MIDDLING)).isSameAs(first);
        assertThat(buffers.take(MIDDLING)).isSameAs(second);
        assertThat(buffers.take(MIDDLING)).isNotSameAs(third);
        buffers.giveBack(first);
        buffers.drop();
        assertThat(buffers.take(MIDDLING)).isNotSameAs(first);
    }
}
