package io.faasimage.format.bundle;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.id.Digest;
import java.util.Optional;

/**
 * The difference between a document and one that the receiver has: a zstd frame whose dictionary is the whole other
 * one. Between two versions of an image whose code differs, it is a few hundred bytes.
 *
 * @param base digest of the document that the receiver has
 * @param digest of the document
 * @param size of the document in bytes
 * @param frame that makes one from the other; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record Delta(Digest base, Digest digest, int size, byte[] frame) {
    /** Largest document, and largest base, bytes: zstd's window at {@link #LEVEL}, from which it reaches the base. */
    public static final int MAX_BYTES = 4 << 20;

    /** The lowest level whose tables hold all of a metadata image of some MB: 315 bytes for one line, 318 kB at 3. */
    private static final int LEVEL = 9;

    /** Checks the size. */
    public Delta {
        if (size < 1 || size > MAX_BYTES) {
            throw new IllegalArgumentException("a delta of a document with " + size + " bytes");
        }
    }

    /**
     * The delta that makes {@code document} from {@code base}; empty when one of them is empty or too large.
     *
     * @param name digest of {@code base}
     * @param digest of {@code document}
     */
    public static Optional<Delta> of(Digest name, byte[] base, Digest digest, byte[] document) {
        if (base.length == 0 || base.length > MAX_BYTES || document.length == 0 || document.length > MAX_BYTES) {
            return Optional.empty();
        }
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            byte[] frame = zstd.setLevel(LEVEL).loadDict(base).compress(document);
            return Optional.of(new Delta(name, digest, document.length, frame));
        }
    }

    /**
     * The document, verified.
     *
     * @param dictionary the content of {@link #base}
     * @throws FormatException when that, or the frame, is another than it should be
     */
    public byte[] apply(byte[] dictionary) throws FormatException {
        try (ZstdDecompressCtx zstd = new ZstdDecompressCtx()) {
            byte[] document = zstd.loadDict(dictionary).decompress(frame, size);
            if (document.length != size || !Digest.of(document).equals(digest)) {
                throw FormatException.corrupt("the delta of " + digest + " does not make it from " + base);
            }
            return document;
        } catch (ZstdException e) {
            throw FormatException.corrupt("the delta of " + digest + " cannot be decompressed: " + e.getMessage());
        }
    }

    /** The payload of its frame in a bundle. */
    byte[] encode() {
        return new ByteWriter(Digest.BYTES + frame.length)
                .digest(base)
                .raw(frame)
                .toBytes();
    }

    /** How long that is, bytes. */
    public int encodedLength() {
        return Digest.BYTES + frame.length;
    }

    static Delta decode(Digest digest, long size, byte[] payload) throws FormatException {
        if (size < 1 || size > MAX_BYTES || payload.length <= Digest.BYTES) {
            throw FormatException.corrupt("bundle has a delta of " + payload.length + " bytes for a document of " + size
                    + " bytes; pull again");
        }
        ByteReader in = new ByteReader(FrameHeader.FORMAT + " delta", payload, 0, payload.length);
        Digest base = in.digest();
        return new Delta(base, digest, (int) size, in.raw(payload.length - Digest.BYTES));
    }
}
