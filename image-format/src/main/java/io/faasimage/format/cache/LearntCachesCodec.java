package io.faasimage.format.cache;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The byte form of {@link LearntCaches}: one document has exactly one (docs/formats/learnt-caches.md). Stateless. */
public final class LearntCachesCodec {
    /** Media type of encoded caches. */
    public static final String MEDIA_TYPE = "application/vnd.faasimage.learnt-caches";

    /** No document is longer, in bytes. */
    public static final int MAX_DOCUMENT_BYTES = 12 << 20;

    /** So many bytes at the beginning of a document name the layers. */
    public static final int HEAD_BYTES = 8 + Digest.BYTES;

    private static final Envelope ENVELOPE = new Envelope("learnt caches", "FILC", 1, 1);
    private static final int FILE_BYTES = 57;

    private LearntCachesCodec() {}

    /** The bytes of {@code caches}. */
    public static byte[] encode(LearntCaches caches) {
        ByteWriter out = ENVELOPE.begin(
                Math.toIntExact(caches.bytes() + 128 + caches.files().size() * (FILE_BYTES + 64L)));
        out.digest(caches.chain().digest());
        out.number(caches.files().size());
        for (LearntFile file : caches.files()) {
            Attributes attributes = file.attributes();
            out.sized(file.path().bytes()).u16(attributes.mode());
            out.u32(attributes.uid()).u32(attributes.gid());
            out.u64(attributes.mtimeSeconds()).u32(attributes.mtimeNanos());
            out.digest(file.digest()).sized(file.content());
        }
        return ENVELOPE.seal(out);
    }

    /**
     * The layers that the head of a document names, of which nothing is verified yet.
     *
     * @throws FormatException when it is shorter than {@link #HEAD_BYTES}
     */
    public static ChainId chain(byte[] head) throws FormatException {
        if (head.length < HEAD_BYTES) {
            throw FormatException.corrupt("not learnt caches: only " + head.length + " bytes");
        }
        return new ChainId(Digest.ofBytes(Arrays.copyOfRange(head, HEAD_BYTES - Digest.BYTES, HEAD_BYTES)));
    }

    /**
     * The caches that {@code bytes} encode; each content has been compared with its digest.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static LearntCaches decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        try {
            ChainId chain = new ChainId(in.digest());
            int count = in.count("files", FILE_BYTES);
            List<LearntFile> files = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                files.add(file(in));
            }
            in.finish();
            return new LearntCaches(chain, files);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    private static LearntFile file(ByteReader in) throws FormatException {
        FilePath path = FilePath.ofBytes(in.sized("path", FilePath.MAX_PATH_BYTES));
        int mode = in.u16();
        int uid = in.u32();
        int gid = in.u32();
        Attributes attributes = Attributes.of(mode, uid, gid, in.u64(), in.u32());
        Digest digest = in.digest();
        LearntFile file = new LearntFile(path, attributes, in.sized("content", LearntCaches.MAX_FILE_BYTES));
        if (!file.digest().equals(digest)) {
            throw in.bad(path + " has not the content " + digest);
        }
        return file;
    }
}
