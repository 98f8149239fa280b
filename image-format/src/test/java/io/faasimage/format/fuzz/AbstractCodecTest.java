package io.faasimage.format.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.faasimage.format.FormatException;
import io.faasimage.format.FormatException.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Rules for every format with a checksum at its end, tested with the documents of the subclass. */
public abstract class AbstractCodecTest<T> {
    private final Function<T, byte[]> encoder;
    private final Decoder<T> decoder;
    private final List<T> documents;

    /** Reads a document. */
    @FunctionalInterface
    protected interface Decoder<T> {
        T decode(byte[] bytes) throws FormatException;
    }

    /** Tests a codec with {@code documents}, of which the first has everything. */
    protected AbstractCodecTest(Function<T, byte[]> encoder, Decoder<T> decoder, List<T> documents) {
        this.encoder = encoder;
        this.decoder = decoder;
        this.documents = documents;
    }

    /** The bytes of the document that has everything. */
    protected final byte[] encoded() {
        return encoder.apply(documents.getFirst());
    }

    protected final void assertFails(byte[] bytes, Kind kind) {
        assertThatThrownBy(() -> decoder.decode(bytes))
                .asInstanceOf(type(FormatException.class))
                .extracting(FormatException::kind)
                .isEqualTo(kind);
    }

    @Test
    void decodesWhatItEncoded() throws FormatException {
        for (T document : documents) {
            assertThat(decoder.decode(encoder.apply(document))).isEqualTo(document);
        }
    }

    @Test
    void everyTruncationIsCorrupt() {
        byte[] bytes = encoded();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertFails(cut, Kind.CORRUPT);
            assertFails(resealed(cut), Kind.CORRUPT);
        }
    }

    @Test
    void bytesAfterTheEndAreRefused() {
        byte[] bytes = encoded();
        assertFails(resealed(Arrays.copyOf(bytes, bytes.length + 1)), Kind.CORRUPT);
    }

    @Test
    void everyFlippedBitIsCorrupt() {
        byte[] bytes = encoded();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertFails(flipped, Kind.CORRUPT);
        }
    }

    /** Sets the last four bytes to the CRC-32C of all before them, so that damage gets past the checksum. */
    protected static byte[] resealed(byte[] document) {
        if (document.length < 4) {
            return document;
        }
        byte[] sealed = document.clone();
        CRC32C crc = new CRC32C();
        crc.update(sealed, 0, sealed.length - 4);
        ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN).putInt(sealed.length - 4, (int) crc.getValue());
        return sealed;
    }
}
