package io.faasimage.docker.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes between command and daemon. */
final class FramesTest {
    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    @Test
    void argumentsArriveAsTheBytesTheyAre() throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        byte[] odd = {(byte) 0xff, 0, 'x'};
        Frames.writeRequest(new DataOutputStream(sent), List.of(odd, new byte[0]));
        assertThat(Frames.readRequest(in(sent.toByteArray()))).containsExactly(odd, new byte[0]);
    }

    @Test
    void framesArriveInTurn() throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        Frames.write(new DataOutputStream(sent), Frames.ERR, new byte[] {1, 2, 3}, 2);
        Frames.Frame frame = Frames.read(in(sent.toByteArray()));
        assertThat(frame.kind()).isEqualTo(Frames.ERR);
        assertThat(frame.content()).containsExactly(1, 2);
    }

    @Test
    void anythingCutTooLargeOrOfAnotherVersionIsRefused() {
        byte[] many = ByteBuffer.allocate(8).putInt(1).putInt(5000).array();
        assertThatIOException().isThrownBy(() -> Frames.readRequest(in(many))).withMessageContaining("5000 arguments");
        byte[] huge = ByteBuffer.allocate(12).putInt(1).putInt(1).putInt(-1).array();
        assertThatIOException().isThrownBy(() -> Frames.readRequest(in(huge))).withMessageContaining("-1 bytes");
        byte[] other = ByteBuffer.allocate(8).putInt(7).putInt(0).array();
        assertThatIOException().isThrownBy(() -> Frames.readRequest(in(other))).withMessageContaining("one release");
        byte[] cut = ByteBuffer.allocate(12).putInt(1).putInt(1).putInt(9).array();
        assertThatIOException().isThrownBy(() -> Frames.readRequest(in(cut)));
    }

    @Test
    void allArgumentsTogetherAreBounded() throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        byte[] large = new byte[1 << 20];
        Frames.writeRequest(new DataOutputStream(sent), List.of(large, large, large, large, new byte[1]));
        assertThatIOException()
                .isThrownBy(() -> Frames.readRequest(in(sent.toByteArray())))
                .withMessageContaining("1 bytes of an argument are not between 0 and 0");
    }
}
