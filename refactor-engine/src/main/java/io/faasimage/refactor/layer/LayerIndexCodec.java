package io.faasimage.refactor.layer;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The byte form of a {@link LayerIndex}: one index has exactly one (docs/formats/layer-index.md). Stateless. */
public final class LayerIndexCodec {
    private static final Envelope ENVELOPE = new Envelope("layer index", "FILI", 2, 2);
    private static final int ENTRY_BYTES = 2;
    private static final int HARD_LINK = 16;
    private static final int WHITEOUT = 17;
    private static final int OPAQUE = 18;

    private LayerIndexCodec() {}

    /** The bytes of {@code index}. */
    public static byte[] encode(LayerIndex index) {
        ByteWriter out = ENVELOPE.begin(256
                + index.blocks().digests().size() * Digest.BYTES
                + index.entries().size() * 128);
        LayerCounts counts = index.counts();
        out.digest(index.blob()).digest(index.diffId());
        out.number(index.blocks().size()).number(index.blocks().digests().size());
        index.blocks().digests().forEach(out::digest);
        out.number(counts.bytes()).number(counts.entries()).number(counts.metadataBytes());
        out.number(counts.skippedXattrs()).number(index.entries().size());
        index.entries().forEach(entry -> write(out, entry));
        return ENVELOPE.seal(out);
    }

    private static void write(ByteWriter out, LayerEntry entry) {
        switch (entry) {
            case LayerEntry.Put put -> {
                out.u8(InodeCodec.kind(put.inode())).sized(put.path().bytes());
                InodeCodec.write(out, put.inode());
            }
            case LayerEntry.HardLink link -> {
                out.u8(HARD_LINK).sized(link.path().bytes()).sized(link.target().bytes());
                InodeCodec.write(out, link.attributes());
            }
            case LayerEntry.Whiteout whiteout ->
                out.u8(WHITEOUT).sized(whiteout.path().bytes());
            case LayerEntry.Opaque opaque -> out.u8(OPAQUE).sized(opaque.path().bytes());
        }
    }

    /**
     * The index that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static LayerIndex decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        try {
            var blob = in.digest();
            var diffId = in.digest();
            BlobBlocks blocks = blocks(in);
            LayerCounts counts = new LayerCounts(in.number(), in.number(), in.number(), in.number());
            int count = in.count("entries", ENTRY_BYTES);
            List<LayerEntry> entries = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                entries.add(entry(in));
            }
            in.finish();
            return new LayerIndex(blob, diffId, blocks, counts, entries);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    private static BlobBlocks blocks(ByteReader in) throws FormatException {
        long size = in.number();
        int count = in.count("blocks", Digest.BYTES);
        List<Digest> digests = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            digests.add(in.digest());
        }
        return new BlobBlocks(size, digests);
    }

    private static LayerEntry entry(ByteReader in) throws FormatException {
        int kind = in.u8();
        FilePath path = path(in);
        return switch (kind) {
            case HARD_LINK -> {
                FilePath target = path(in);
                yield new LayerEntry.HardLink(path, target, InodeCodec.attributes(in));
            }
            case WHITEOUT -> new LayerEntry.Whiteout(path);
            case OPAQUE -> new LayerEntry.Opaque(path);
            default -> new LayerEntry.Put(path, InodeCodec.read(kind, in));
        };
    }

    private static FilePath path(ByteReader in) throws FormatException {
        return new FilePath(new String(in.sized("path", FilePath.MAX_PATH_BYTES), StandardCharsets.ISO_8859_1));
    }
}
