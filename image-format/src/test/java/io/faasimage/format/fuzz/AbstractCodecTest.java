package io.faasimage.format.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.faasimage.format.FormatException;
import io.faasimage.format.FormatException.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Rules for every format with a checksum at its end, tested with the documents of the subclass. */
public abstract class AbstractCodecTest<T> {
    private final String format;
    private final Function<T, byte[]> encoder;
    private final Decoder<T> decoder;
    private final List<T> documents;

    /** Reads a document. */
    @FunctionalInterface
    protected interface Decoder<T> {
        T decode(byte[] bytes) throws FormatException;
    }

    /** Tests a codec with {@code documents}, of which the first has everything; errors name the {@code format}. */
    protected AbstractCodecTest(String format, Function<T, byte[]> encoder, Decoder<T> decoder, List<T> documents) {
        this.format = format;
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
            assertFails(Mutations.resealed(cut), Kind.CORRUPT);
        }
    }

    @Test
    void bytesAfterTheEndAreRefused() {
        byte[] bytes = encoded();
        assertFails(Mutations.resealed(Arrays.copyOf(bytes, bytes.length + 1)), Kind.CORRUPT);
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

    @Test
    void mutatedDocumentsFailCleanly() {
        Mutations mutations = Mutations.of(documents.stream().map(encoder).toList());
        for (int i = 0; i < Mutations.rounds(30_000); i++) {
            byte[] bytes = Mutations.resealed(mutations.next());
            try {
                assertThat(encoder.apply(decoder.decode(bytes))).isEqualTo(bytes);
            } catch (FormatException e) {
                assertThat(e).hasMessageContaining(format);
            }
        }
    }
}
