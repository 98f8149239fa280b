package io.faasimage.format.pack;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The layout of a pack: its objects one behind the other, each frame at a multiple of 4 KiB, so that the kernel reads
 * no block of a frame that is there together with one that is not. Frames are counted through all objects. A view of
 * its encoded table, which may be a mapped file: it takes no room for objects and frames. Immutable.
 */
public final class PackLayout {
    private static final int BLOCK = 4096;
    private static final Envelope ENVELOPE = new Envelope("table of a pack", "FIPT", 2, 2);

    private static final int COUNTS_AT = 8;
    private static final int OBJECTS_AT = COUNTS_AT + 8;
    private static final int SIZE = Digest.BYTES;
    private static final int FIRST = SIZE + 8;
    private static final int OBJECT_BYTES = FIRST + 4;
    private static final int PLACE = Digest.BYTES;
    private static final int LENGTH = PLACE + 4;
    private static final int FRAME_BYTES = LENGTH + 4;
    private static final int PART_SHIFT = 56;

    private final ByteBuffer table;
    private final int objects;
    private final int frames;

    private PackLayout(ByteBuffer table) {
        this.table = table.slice().order(ByteOrder.LITTLE_ENDIAN);
        this.objects = this.table.getInt(COUNTS_AT);
        this.frames = this.table.getInt(COUNTS_AT + 4);
    }

    /** The layout of a pack of these objects, at least one, none of them twice. */
    public static PackLayout of(List<PackedObject> objects) {
        if (objects.isEmpty()
                || objects.stream().map(PackedObject::digest).distinct().count() != objects.size()) {
            throw new IllegalArgumentException("a pack has objects, and none of them twice");
        }
        int frames =
                objects.stream().mapToInt(object -> object.frames().count()).reduce(0, Math::addExact);
        ByteWriter out = ENVELOPE.begin(Math.toIntExact(bodyBytes(objects.size(), frames)));
        out.u32(objects.size()).u32(frames);
        int first = 0;
        for (PackedObject object : objects) {
            out.digest(object.digest()).u64(object.size()).u32(first);
            first += object.frames().count();
        }
        int block = 0;
        for (PackedObject object : objects) {
            for (int i = 0; i < object.frames().count(); i++) {
                int length = object.frames().length(i);
                out.digest(object.frames().digest(i)).u32(block).u32(length);
                block = Math.addExact(block, blocks(length));
            }
        }
        IntStream.range(0, objects.size())
                .boxed()
                .sorted(Comparator.comparing(index -> objects.get(index).digest()))
                .forEach(out::u32);
        return new PackLayout(ByteBuffer.wrap(ENVELOPE.seal(out)));
    }

    private static long bodyBytes(long objects, long frames) {
        return 8 + objects * (OBJECT_BYTES + 4) + frames * FRAME_BYTES;
    }

    private static int blocks(int length) {
        return Math.ceilDiv(length, BLOCK);
    }

    /**
     * The layout with this table, all of which is checked.
     *
     * @throws FormatException when it is damaged, or of a version that this program does not read
     */
    public static PackLayout decode(byte[] table) throws FormatException {
        ByteReader in = ENVELOPE.open(table);
        int body = in.remaining();
        long objects = in.u32();
        long frames = in.u32();
        if (objects <= 0 || frames <= 0 || body != bodyBytes(objects, frames)) {
            throw in.bad(objects + " objects of " + frames + " frames in " + body + " bytes");
        }
        PackLayout layout = new PackLayout(ByteBuffer.wrap(table));
        layout.checkObjects(in);
        layout.checkFrames(in);
        layout.checkOrder(in);
        return layout;
    }

    private void checkObjects(ByteReader in) throws FormatException {
        long first = 0;
        for (int object = 0; object < objects; object++) {
            if (size(object) <= 0 || firstFrame(object) != first) {
                throw in.bad("object " + object + " does not begin behind the one before it");
            }
            first += (size(object) - 1) / ObjectFrames.CONTENT_BYTES + 1;
            if (first > frames) {
                throw in.bad("object " + object + " has more frames than there are");
            }
        }
        if (first != frames) {
            throw in.bad(frames + " frames, of which objects have " + first);
        }
    }

    private void checkFrames(ByteReader in) throws FormatException {
        long block = 0;
        for (int frame = 0; frame < frames; frame++) {
            int length = length(frame);
            if (length < 1 || length > ObjectFrames.MAX_STORED_BYTES || table.getInt(frameAt(frame) + PLACE) != block) {
                throw in.bad("frame " + frame + " does not begin behind the one before it");
            }
            block += blocks(length);
        }
        if (block > Integer.MAX_VALUE) {
            throw in.bad("a pack of " + block + " blocks");
        }
    }

    /** Digests that ascend are different ones, and as many as there are objects. */
    private void checkOrder(ByteReader in) throws FormatException {
        for (int at = 0; at < objects; at++) {
            int object = byDigest(at);
            if (object < 0 || object >= objects || (at > 0 && compare(byDigest(at - 1), object(object)) >= 0)) {
                throw in.bad("objects are not in the order of their digests");
            }
        }
    }

    /** The same layout over {@code copy}, a copy of its table. */
    public PackLayout over(ByteBuffer copy) {
        return new PackLayout(copy);
    }

    /** The table, from which {@link #decode} makes the same layout. */
    public byte[] encode() {
        byte[] copy = new byte[table.capacity()];
        table.get(0, copy);
        return copy;
    }

    private static int objectAt(int object) {
        return OBJECTS_AT + object * OBJECT_BYTES;
    }

    private int frameAt(int frame) {
        return OBJECTS_AT + objects * OBJECT_BYTES + frame * FRAME_BYTES;
    }

    private Digest digestAt(int at) {
        return new Digest(word(at), word(at + 8), word(at + 16), word(at + 24));
    }

    private long word(int at) {
        return Long.reverseBytes(table.getLong(at));
    }

    /** How many objects have a place. */
    public int objects() {
        return objects;
    }

    /** The digest of an object's content, by its index. */
    public Digest object(int object) {
        return digestAt(objectAt(object));
    }

    /** Size of an object's content, by its index, bytes. */
    public long size(int object) {
        return table.getLong(objectAt(object) + SIZE);
    }

    /** An object by its index; made anew each time. */
    public PackedObject packed(int object) {
        List<ObjectFrames.Frame> stored = new ArrayList<>();
        IndexRange range = framesOf(object);
        for (int frame = range.from(); frame < range.to(); frame++) {
            stored.add(new ObjectFrames.Frame(length(frame), digest(frame)));
        }
        return new PackedObject(object(object), size(object), ObjectFrames.of(size(object), stored));
    }

    /** The index of the object whose digest is number {@code at} of all, in ascending order. */
    public int byDigest(int at) {
        return table.getInt(frameAt(frames) + 4 * at);
    }

    /** The index of an object; -1 when it has no place. */
    public int find(Digest object) {
        int at = least(objects, middle -> compare(byDigest(middle), object));
        return at < objects && compare(byDigest(at), object) == 0 ? byDigest(at) : -1;
    }

    private int compare(int object, Digest other) {
        int compared = Long.compareUnsigned(word(objectAt(object)), other.a());
        return compared != 0 ? compared : object(object).compareTo(other);
    }

    /** Shows the indexes of the objects whose digests begin with {@code part}, a byte. */
    public void forEach(int part, IntConsumer visitor) {
        int at = least(
                objects, middle -> Integer.compare((int) (word(objectAt(byDigest(middle))) >>> PART_SHIFT), part));
        while (at < objects && word(objectAt(byDigest(at))) >>> PART_SHIFT == part) {
            visitor.accept(byDigest(at++));
        }
    }

    /** The least number below {@code count} for which {@code compared} is not negative; {@code count} for none. */
    private static int least(int count, IntUnaryOperator compared) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compared.applyAsInt(middle) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** How many frames all objects have. */
    public int frames() {
        return frames;
    }

    /** Size of the pack, bytes. */
    public long bytes() {
        return offset(frames - 1) + (long) blocks(length(frames - 1)) * BLOCK;
    }

    /** The number of the first frame of an object, by its index. */
    public int firstFrame(int object) {
        return table.getInt(objectAt(object) + FIRST);
    }

    /** The numbers of the frames of an object, by its index. */
    public IndexRange framesOf(int object) {
        return new IndexRange(firstFrame(object), object + 1 < objects ? firstFrame(object + 1) : frames);
    }

    /** The object that a frame is of. */
    public int objectOf(int frame) {
        return least(objects, object -> firstFrame(object) <= frame ? -1 : 0) - 1;
    }

    /** Where a frame begins in the pack. */
    public long offset(int frame) {
        return (long) table.getInt(frameAt(frame) + PLACE) * BLOCK;
    }

    /** Length of a frame, bytes. */
    public int length(int frame) {
        return table.getInt(frameAt(frame) + LENGTH);
    }

    /** The digest of a frame's bytes. */
    public Digest digest(int frame) {
        return digestAt(frameAt(frame));
    }

    /** The frames of which some bytes lie between {@code offset} and {@code end}, at least one. */
    public IndexRange framesBetween(long offset, long end) {
        long from = Math.clamp(offset, 0, bytes() - 1);
        long to = Math.clamp(end, from + 1, bytes());
        return new IndexRange(
                least(frames, frame -> offset(frame) <= from ? -1 : 0) - 1,
                least(frames, frame -> offset(frame) < to ? -1 : 0));
    }
}
