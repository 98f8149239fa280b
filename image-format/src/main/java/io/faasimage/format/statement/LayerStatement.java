package io.faasimage.format.statement;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;

/**
 * A statement of the service that read a layer: which index it made of it. Plans of other images are made from that
 * index, so it must not change between. One statement has exactly one byte form.
 *
 * @param layer digest of the layer's blob
 * @param index digest of the encoded layer index
 */
public record LayerStatement(Digest layer, Digest index) {
    private static final Envelope ENVELOPE = new Envelope("layer statement", "FILS", 1, 1);

    /** The bytes that are signed. */
    public byte[] encode() {
        return ENVELOPE.seal(ENVELOPE.begin(2 * Digest.BYTES).digest(layer).digest(index));
    }

    /** The statement that {@code bytes} encode. */
    public static LayerStatement decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        LayerStatement statement = new LayerStatement(in.digest(), in.digest());
        in.finish();
        return statement;
    }
}
