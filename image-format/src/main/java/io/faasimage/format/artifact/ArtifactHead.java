package io.faasimage.format.artifact;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The head of a plan as an OCI artifact: all that a node needs before the frames. Immutable, except for the bytes that
 * it is made of, which nobody may change.
 *
 * @param statement the signed statement of the plan
 * @param predicted whether the plan is predicted: the start is to be traced
 * @param plan encoded
 * @param metadata the metadata image of the plan's top, one zstd stream
 * @param prefixes the metadata images of the plan's other layers, each once
 * @param packs where the frames are, in the order in which a node reads them
 */
@SuppressWarnings("ArrayRecordComponent")
public record ArtifactHead(
        SignedDocument statement,
        boolean predicted,
        byte[] plan,
        byte[] metadata,
        List<PrefixImage> prefixes,
        List<ArtifactPack> packs) {
    /** Longest head, bytes. */
    public static final int MAX_BYTES = 16 << 20;

    private static final Envelope ENVELOPE = new Envelope("artifact head", "FIAH", 1, 1);
    private static final int MAX_PACKS = 64;
    /** Bounds the memory of a reader, for a run takes few bytes. */
    private static final int MAX_RUNS = 1 << 16;

    /** The least bytes of a prefix, a pack and a run. */
    private static final int PREFIX_BYTES = 65;

    private static final int PACK_BYTES = 34;

    private static final int RUN_BYTES = 4;

    /** Copies the list, and checks the limits. */
    public ArtifactHead {
        prefixes = List.copyOf(prefixes);
        packs = List.copyOf(packs);
        long runs = packs.stream().mapToLong(pack -> pack.runs().size()).sum();
        if (packs.size() > MAX_PACKS || runs > MAX_RUNS || plan.length == 0 || metadata.length == 0) {
            throw new IllegalArgumentException("an artifact of " + packs.size() + " packs with " + runs + " runs");
        }
    }

    /** The blob. */
    public byte[] encode() {
        ByteWriter out = ENVELOPE.begin(plan.length + metadata.length + SignedDocument.MAX_BYTES)
                .sized(statement.encode())
                .u8(predicted ? 1 : 0)
                .sized(plan)
                .sized(metadata)
                .number(prefixes.size());
        prefixes.forEach(prefix -> out.digest(prefix.metadata())
                .digest(prefix.blob().digest())
                .number(prefix.blob().size()));
        out.number(packs.size());
        for (ArtifactPack pack : packs) {
            out.digest(pack.blob()).number(pack.size()).number(pack.runs().size());
            long end = 0;
            for (FrameRun run : pack.runs()) {
                out.number(run.from())
                        .number(run.count())
                        .number(run.offset() - end)
                        .number(run.length());
                end = run.end();
            }
        }
        return ENVELOPE.seal(out);
    }

    /**
     * The claim of a head, without the rest: the statement is to be verified before more of it is read.
     *
     * @param statement the signed statement
     * @param plan digest of the plan
     */
    public record Claim(SignedDocument statement, Digest plan) {}

    /**
     * The claim of the head that {@code bytes} encode.
     *
     * @throws FormatException as {@link #decode}
     */
    public static Claim claim(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        SignedDocument statement = SignedDocument.decode(in.sized("statement", SignedDocument.MAX_BYTES));
        in.u8();
        return new Claim(statement, Digest.of(in.sized("plan", MAX_BYTES)));
    }

    /**
     * The head that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static ArtifactHead decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        try {
            SignedDocument statement = SignedDocument.decode(in.sized("statement", SignedDocument.MAX_BYTES));
            int flags = in.u8();
            if (flags > 1) {
                throw in.bad("unknown flags " + flags);
            }
            byte[] plan = in.sized("plan", MAX_BYTES);
            byte[] metadata = in.sized("metadata image", MAX_BYTES);
            int others = in.count("prefixes", PREFIX_BYTES);
            List<PrefixImage> prefixes = new ArrayList<>(others);
            for (int i = 0; i < others; i++) {
                prefixes.add(new PrefixImage(in.digest(), new BlobName(in.digest(), in.number())));
            }
            int count = in.count("packs", PACK_BYTES);
            List<ArtifactPack> packs = new ArrayList<>(count);
            int left = MAX_RUNS;
            for (int i = 0; i < count; i++) {
                ArtifactPack pack = new ArtifactPack(in.digest(), in.number(), runs(in, left));
                packs.add(pack);
                left -= pack.runs().size();
            }
            in.finish();
            return new ArtifactHead(statement, flags == 1, plan, metadata, prefixes, packs);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ArtifactHead head
                && statement.equals(head.statement)
                && predicted == head.predicted
                && Arrays.equals(plan, head.plan)
                && Arrays.equals(metadata, head.metadata)
                && prefixes.equals(head.prefixes)
                && packs.equals(head.packs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(plan);
    }

    private static List<FrameRun> runs(ByteReader in, int most) throws FormatException {
        int count = in.count("runs", RUN_BYTES);
        if (count > most) {
            throw in.bad("more than " + MAX_RUNS + " runs");
        }
        List<FrameRun> runs = new ArrayList<>(count);
        long end = 0;
        for (int i = 0; i < count; i++) {
            int from = in.number("number of a frame", Integer.MAX_VALUE);
            int frames = in.number("number of frames", Integer.MAX_VALUE);
            long gap = in.number();
            if (gap > Long.MAX_VALUE - end) {
                throw in.bad("gap of " + gap + " bytes");
            }
            FrameRun run = new FrameRun(from, frames, end + gap, in.number());
            runs.add(run);
            end = run.end();
        }
        return runs;
    }
}
