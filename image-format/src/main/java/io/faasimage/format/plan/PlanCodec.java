package io.faasimage.format.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.ArrayList;
import java.util.List;

/** The byte form of a {@link Plan}: one plan has exactly one (docs/formats/plan.md). Stateless. */
public final class PlanCodec {
    /** Longest text of a library's ecosystem, name or version, bytes. */
    public static final int MAX_TEXT_BYTES = 4096;

    /** Media type of an encoded plan. */
    public static final String MEDIA_TYPE = "application/vnd.faasimage.plan";

    private static final int VERSION = 3;
    private static final Envelope ENVELOPE = new Envelope("plan", "FIPL", VERSION, VERSION);
    private static final int LAYER_BYTES = 2 * Digest.BYTES + 1;
    private static final int LIBRARY_BYTES = 6;
    private static final int OBJECT_BYTES = Digest.BYTES + 2;

    private PlanCodec() {}

    /** The bytes of {@code plan}. */
    public static byte[] encode(Plan plan) {
        int estimate = 4096 + plan.layers().size() * 80 + plan.objects().size() * (OBJECT_BYTES + 4);
        ByteWriter out = ENVELOPE.begin(estimate).digest(plan.image()).digest(plan.trace());
        out.number(plan.layers().size());
        for (PlanLayer layer : plan.layers()) {
            out.digest(layer.chainId().digest()).digest(layer.metadata()).number(layer.metadataSize());
        }
        out.number(plan.libraries().size());
        for (Library library : plan.libraries()) {
            out.text(library.ecosystem()).text(library.name()).text(library.version());
        }
        out.number(plan.objects().size()).number(plan.startupCount());
        for (PlanObject object : plan.objects()) {
            out.digest(object.digest())
                    .number(object.size())
                    .u8(object.segment().code());
            if (object.segment() == Segment.LIB) {
                out.number(object.library());
            }
        }
        for (PrefetchObject object : plan.prefetch()) {
            object.frames().write(out);
            IndexRanges.write(object.read(), out);
        }
        return ENVELOPE.seal(out);
    }

    /** The plan's name: the digest of its bytes. */
    public static Digest digest(Plan plan) {
        return Digest.of(encode(plan));
    }

    /**
     * The plan that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static Plan decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        try {
            Digest image = in.digest();
            Digest trace = in.digest();
            List<PlanLayer> layers = layers(in);
            List<Library> libraries = libraries(in);
            int count = in.count("objects", OBJECT_BYTES);
            int startup = in.number("start-up count", count);
            List<PlanObject> objects = objects(in, count);
            List<PrefetchObject> prefetch = prefetch(in, objects.subList(0, startup));
            in.finish();
            return new Plan(image, trace, layers, libraries, objects, prefetch);
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    private static List<PlanLayer> layers(ByteReader in) throws FormatException {
        int count = in.count("layers", LAYER_BYTES);
        List<PlanLayer> layers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            layers.add(new PlanLayer(new ChainId(in.digest()), in.digest(), in.number()));
        }
        return layers;
    }

    private static List<Library> libraries(ByteReader in) throws FormatException {
        int count = in.count("libraries", LIBRARY_BYTES);
        List<Library> libraries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            libraries.add(new Library(
                    in.text("ecosystem", MAX_TEXT_BYTES),
                    in.text("library name", MAX_TEXT_BYTES),
                    in.text("library version", MAX_TEXT_BYTES)));
        }
        return libraries;
    }

    private static List<PlanObject> objects(ByteReader in, int count) throws FormatException {
        List<PlanObject> objects = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Digest digest = in.digest();
            long size = in.number();
            Segment segment = Segment.ofCode(in.u8());
            int library = segment == Segment.LIB ? in.number("library index", Integer.MAX_VALUE) : -1;
            objects.add(new PlanObject(digest, size, segment, library));
        }
        return objects;
    }

    private static List<PrefetchObject> prefetch(ByteReader in, List<PlanObject> startup) throws FormatException {
        List<PrefetchObject> prefetch = new ArrayList<>(startup.size());
        for (PlanObject object : startup) {
            prefetch.add(new PrefetchObject(ObjectFrames.read(object.size(), in), IndexRanges.read(in)));
        }
        return prefetch;
    }
}
