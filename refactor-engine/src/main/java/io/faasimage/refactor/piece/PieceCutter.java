package io.faasimage.refactor.piece;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRanges;
import io.faasimage.format.plan.Piece;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A cutter of large objects into pieces: the chunks that starts read, and the rest, each gathered in the order of the
 * object. The same object, chunks and rules give the same pieces. For one thread; needs memory for one piece of each
 * kind.
 */
public final class PieceCutter {
    private final PieceRules rules;
    private final Sink sink;
    private final Gathered startup;
    private final Gathered rest;

    /** A receiver of pieces. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a piece.
         *
         * @param bytes of which the first {@code length} are the piece; they are used again afterwards
         * @param startup whether starts read it
         */
        void piece(Digest digest, byte[] bytes, int length, boolean startup) throws IOException;
    }

    /** Cuts by {@code rules}; {@code sink} takes the pieces. */
    public PieceCutter(PieceRules rules, Sink sink) {
        this.rules = rules;
        this.sink = sink;
        this.startup = new Gathered(rules.startupBytes(), true);
        this.rest = new Gathered(rules.restBytes(), false);
    }

    /**
     * Cuts an object.
     *
     * @param index of the object in the plan
     * @param read the chunks that starts read
     * @param content read to its end, or a chunk beyond the object's; not closed
     * @throws RefactorException when the content is not that of the object; the pieces must be discarded then
     */
    public PiecedObject cut(int index, PlanObject object, BitSet read, InputStream content) throws IOException {
        MessageDigest whole = Digest.newSha256();
        byte[] chunk = new byte[rules.chunkBytes()];
        startup.begin();
        rest.begin();
        long size = 0;
        int number = 0;
        int n = content.readNBytes(chunk, 0, chunk.length);
        while (n > 0 && size <= object.size()) {
            whole.update(chunk, 0, n);
            (read.get(number) ? startup : rest).add(number, chunk, n);
            number++;
            size += n;
            n = content.readNBytes(chunk, 0, chunk.length);
        }
        startup.finish();
        rest.finish();
        if (size != object.size() || !Digest.ofBytes(whole.digest()).equals(object.digest())) {
            throw new RefactorException(
                    Kind.LOCAL, "object " + object.digest() + " has other content than its name says; it is not cut");
        }
        List<Piece> pieces = new ArrayList<>(startup.pieces);
        pieces.addAll(rest.pieces);
        return new PiecedObject(index, rules.chunkBits(), pieces, startup.pieces.size());
    }

    /** Chunks of one kind, until they are a piece. */
    private final class Gathered {
        private final boolean isStartup;
        private final byte[] bytes;
        private final List<Piece> pieces = new ArrayList<>();
        private final BitSet chunks = new BitSet();
        private int length;

        Gathered(int size, boolean isStartup) {
            this.isStartup = isStartup;
            bytes = new byte[size - size % rules.chunkBytes()];
        }

        void begin() {
            pieces.clear();
            chunks.clear();
            length = 0;
        }

        void add(int number, byte[] chunk, int n) throws IOException {
            System.arraycopy(chunk, 0, bytes, length, n);
            length += n;
            chunks.set(number);
            if (length == bytes.length) {
                finish();
            }
        }

        void finish() throws IOException {
            if (length > 0) {
                MessageDigest hash = Digest.newSha256();
                hash.update(bytes, 0, length);
                Digest digest = Digest.ofBytes(hash.digest());
                sink.piece(digest, bytes, length, isStartup);
                pieces.add(new Piece(digest, IndexRanges.of(chunks)));
                chunks.clear();
                length = 0;
            }
        }
    }
}
