package io.faasimage.store.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The objects of a pack by the first eight bytes of their digests: twelve bytes an object. Immutable. */
final class ObjectKeys {
    private static final int PART_SHIFT = 56;

    /** Ascending, as numbers without a sign. */
    private final long[] keys;

    private final int[] indexes;

    ObjectKeys(List<PackedObject> objects) {
        indexes = IntStream.range(0, objects.size())
                .boxed()
                .sorted((one, other) -> Long.compareUnsigned(
                        objects.get(one).digest().a(),
                        objects.get(other).digest().a()))
                .mapToInt(Integer::intValue)
                .toArray();
        keys = Arrays.stream(indexes)
                .mapToLong(index -> objects.get(index).digest().a())
                .toArray();
    }

    /** The index of the object that has this digest, or a digest that begins as it does; -1 for none. */
    int find(Digest object) {
        int at = first(object.a());
        return at < keys.length && keys[at] == object.a() ? indexes[at] : -1;
    }

    /** Shows the indexes of the objects whose digests begin with {@code part}. */
    void forEach(int part, IntConsumer visitor) {
        for (int at = first((long) part << PART_SHIFT); at < keys.length && keys[at] >>> PART_SHIFT == part; at++) {
            visitor.accept(indexes[at]);
        }
    }

    /** The place of the first key that is not below {@code key}. */
    private int first(long key) {
        int low = 0;
        int high = keys.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(keys[middle], key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
