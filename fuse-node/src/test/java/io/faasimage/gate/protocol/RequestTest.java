package io.faasimage.gate.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.gate.protocol.Request.Operation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RequestTest {
    private static ByteBuffer request(int opcode, byte[] body) {
        return ByteBuffer.allocate(40 + body.length)
                .order(ByteOrder.nativeOrder())
                .putInt(40 + body.length)
                .putInt(opcode)
                .putLong(0x8000_0000_0000_0006L)
                .putLong(513)
                .putInt(0)
                .putInt(0)
                .putInt(77)
                .putInt(0)
                .put(body)
                .flip();
    }

    private static byte[] longs(long... values) {
        ByteBuffer body = ByteBuffer.allocate(8 * values.length).order(ByteOrder.nativeOrder());
        for (long value : values) {
            body.putLong(value);
        }
        return body.array();
    }

    private static byte[] ints(int... values) {
        ByteBuffer body = ByteBuffer.allocate(4 * values.length).order(ByteOrder.nativeOrder());
        for (int value : values) {
            body.putInt(value);
        }
        return body.array();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aRequestHasWhoAsksForWhat() throws ProtocolException {
        assertThat(Request.parse(request(1, text("name\0"))))
                .isEqualTo(new Request(0x8000_0000_0000_0006L, 513, 77, new Operation.Lookup("name")));
        assertThat(Request.parse(request(36, longs(9))).operation()).isEqualTo(new Operation.Interrupt(9));
        assertThat(Request.parse(request(28, longs(0, 2, 4096, 0, 0))).operation())
                .isEqualTo(new Operation.ReadDirectory(2, 4096));
        assertThat(Request.parse(request(99, text("anything"))).operation()).isEqualTo(new Operation.Unknown(99));
    }

    @Test
    void theSecondHalfOfTheFlagsCountsOnlyWhereItIsAnnounced() throws ProtocolException {
        int extended = 1 << 30 | 1 << 18;
        assertThat(Request.parse(request(26, ints(7, 40, 4096, extended, 1 << 7, 0)))
                        .operation())
                .isEqualTo(new Operation.Start(7, 40, 4096, 1L << 39 | extended));
        assertThat(Request.parse(request(26, ints(7, 31, 4096, 1 << 18))).operation())
                .isEqualTo(new Operation.Start(7, 31, 4096, 1 << 18));
    }

    @Test
    void kernelAndGateAgreeOnWhatBothCan() throws ProtocolException {
        long flags = -1L;
        Session newest = Session.agree(new Operation.Start(7, 45, 4096, flags));
        assertThat(newest).isEqualTo(new Session(40, 4096, 1L << 18 | 1L << 30 | 1L << 39));
        assertThat(newest.resends()).isTrue();
        assertThat(Session.agree(new Operation.Start(7, 31, 4096, flags & 0xffffffffL))
                        .resends())
                .isFalse();
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Session.agree(new Operation.Start(7, 22, 4096, 0)));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Session.agree(new Operation.Start(8, 40, 4096, 0)));
    }

    @Test
    void aNameEndsAndIsNotTooLong() throws ProtocolException {
        for (String wrong : new String[] {"", "\0", "name", "x".repeat(256) + "\0"}) {
            assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> Request.parse(request(1, text(wrong))));
        }
        assertThat(Request.parse(request(1, text("x".repeat(255) + "\0"))).operation())
                .isEqualTo(new Operation.Lookup("x".repeat(255)));
    }

    @Test
    void repliesSayHowLongTheyAre() {
        Operation.ReadDirectory all = new Operation.ReadDirectory(0, 4096);
        for (byte[] reply : new byte[][] {
            Reply.done(5),
            Reply.failed(5, 2),
            Reply.entry(5, 2),
            Reply.attributes(5, 2),
            Reply.space(5),
            Reply.opened(5),
            Reply.names(5, 2, all),
            Reply.started(5, new Session(40, 4096, 0))
        }) {
            ByteBuffer header = ByteBuffer.wrap(reply).order(ByteOrder.nativeOrder());
            assertThat(header.getInt()).isEqualTo(reply.length);
            assertThat(header.getInt()).isLessThanOrEqualTo(0);
            assertThat(header.getLong()).isEqualTo(5);
        }
        assertThat(Reply.names(5, 2, all)).hasSize(16 + 2 * 32);
        assertThat(Reply.names(5, 2, new Operation.ReadDirectory(2, 4096))).hasSize(16);
        assertThat(Reply.names(5, 2, new Operation.ReadDirectory(0, 40))).hasSize(16 + 32);
    }
}
