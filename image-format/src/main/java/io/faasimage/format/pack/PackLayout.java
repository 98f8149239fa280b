package io.faasimage.format.pack;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of a pack: its objects one behind the other, each frame at a multiple of 4 KiB, so that the kernel reads
 * no block of a frame that is there together with one that is not. Frames are counted through all objects. Immutable.
 */
public final class PackLayout {
    private static final int BLOCK = 4096;
    private static final int OBJECT_BYTES = 2 * Digest.BYTES + 2;
    private static final Envelope ENVELOPE = new Envelope("table of a pack", "FIPT", 1, 1);

    private final List<PackedObject> objects;
    /** Number of the first frame of each object, and behind them the number of all frames. */
    private final int[] first;
    /** Where each frame begins, and behind them the end of the pack. */
    private final long[] offsets;

    /** The layout of a pack of these objects, at least one, none of them twice. */
    public PackLayout(List<PackedObject> objects) {
        this.objects = List.copyOf(objects);
        this.first = new int[objects.size() + 1];
        for (int i = 0; i < objects.size(); i++) {
            first[i + 1] = Math.addExact(first[i], objects.get(i).frames().count());
        }
        this.offsets = new long[frames() + 1];
        int frame = 0;
        for (PackedObject object : objects) {
            for (int i = 0; i < object.frames().count(); i++) {
                long length = (object.frames().length(i) + BLOCK - 1L) & -BLOCK;
                offsets[frame + 1] = offsets[frame] + length;
                frame++;
            }
        }
        if (objects.isEmpty()
                || objects.stream().map(PackedObject::digest).distinct().count() != objects.size()) {
            throw new IllegalArgumentException("a pack has objects, and none of them twice");
        }
    }

    /** The objects in their order. */
    public List<PackedObject> objects() {
        return objects;
    }

    /** How many frames all objects have. */
    public int frames() {
        return first[first.length - 1];
    }

    /** Size of the pack, bytes. */
    public long bytes() {
        return offsets[offsets.length - 1];
    }

    /** The number of the first frame of an object, by its index. */
    public int firstFrame(int object) {
        return first[object];
    }

    /** The numbers of the frames of an object, by its index. */
    public IndexRange framesOf(int object) {
        return new IndexRange(first[object], first[object + 1]);
    }

    /** The object that a frame is of. */
    public int objectOf(int frame) {
        int at = Arrays.binarySearch(first, frame);
        return at >= 0 ? at : -at - 2;
    }

    /** Where a frame begins in the pack. */
    public long offset(int frame) {
        return offsets[frame];
    }

    /** Length of a frame, bytes. */
    public int length(int frame) {
        int object = objectOf(frame);
        return objects.get(object).frames().length(frame - first[object]);
    }

    /** The digest of a frame's bytes. */
    public Digest digest(int frame) {
        int object = objectOf(frame);
        return objects.get(object).frames().digest(frame - first[object]);
    }

    /** The frames of which some bytes lie between {@code offset} and {@code end}, at least one. */
    public IndexRange framesBetween(long offset, long end) {
        long from = Math.clamp(offset, 0, bytes() - 1);
        int at = Arrays.binarySearch(offsets, from);
        int begin = at >= 0 ? at : -at - 2;
        int until = Arrays.binarySearch(offsets, Math.clamp(end, from + 1, bytes()));
        return new IndexRange(begin, until >= 0 ? until : -until - 1);
    }

    /** The table of contents, from which {@link #decode} makes the same layout. */
    public byte[] encode() {
        ByteWriter out =
                ENVELOPE.begin(16 + objects.size() * (OBJECT_BYTES + 8)).number(objects.size());
        for (PackedObject object : objects) {
            object.frames().write(out.digest(object.digest()).number(object.size()));
        }
        return ENVELOPE.seal(out);
    }

    /**
     * The layout with this table of contents.
     *
     * @throws FormatException when it is damaged, or of a version that this program does not read
     */
    public static PackLayout decode(byte[] table) throws FormatException {
        ByteReader in = ENVELOPE.open(table);
        try {
            int count = in.count("objects", OBJECT_BYTES);
            List<PackedObject> objects = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                Digest digest = in.digest();
                long size = in.number();
                objects.add(new PackedObject(digest, size, ObjectFrames.read(size, in)));
            }
            in.finish();
            return new PackLayout(objects);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }
}
