package io.faasimage.registry.store.plan;

import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.roaringbitmap.FastAggregation;
import org.roaringbitmap.RoaringBitmap;

/** A plan's objects as numbers in the plan's order, made once per plan: the basis of differences. Immutable. */
public final class PlanIndex {
    private final ObjectNumbers numbering;
    private final int[] numbers;
    private final byte[] segments;

    private PlanIndex(ObjectNumbers numbering, int[] numbers, byte[] segments) {
        this.numbering = numbering;
        this.numbers = numbers;
        this.segments = segments;
    }

    /** The index of a plan. */
    public static PlanIndex of(Plan plan, ObjectNumbers numbering) {
        int count = plan.objects().size();
        int[] numbers = new int[count];
        byte[] segments = new byte[count];
        for (int i = 0; i < count; i++) {
            PlanObject object = plan.objects().get(i);
            numbers[i] = numbering.of(object.digest());
            segments[i] = (byte) (1 << object.segment().code());
        }
        return new PlanIndex(numbering, numbers, segments);
    }

    /** A set of objects, for {@link #missing}. */
    public static RoaringBitmap setOf(List<PlanObject> objects, ObjectNumbers numbering) {
        int[] numbers = objects.stream()
                .mapToInt(object -> numbering.of(object.digest()))
                .sorted()
                .toArray();
        RoaringBitmap set = RoaringBitmap.bitmapOf(numbers);
        set.runOptimize();
        return set;
    }

    /** Whose numbers these are; sets are comparable only if they are the same. */
    ObjectNumbers numbering() {
        return numbering;
    }

    /**
     * The objects of some segments that are in none of the held sets, as ascending indexes into the plan's objects.
     *
     * @param from first index to look at
     * @param to index after the last one to look at
     */
    public int[] missing(Set<Segment> wanted, int from, int to, Collection<RoaringBitmap> held) {
        int mask = 0;
        for (Segment segment : wanted) {
            mask |= 1 << segment.code();
        }
        RoaringBitmap all = FastAggregation.or(held.iterator());
        int[] missing = new int[to - from];
        int count = 0;
        for (int i = from; i < to; i++) {
            if ((segments[i] & mask) != 0 && !all.contains(numbers[i])) {
                missing[count++] = i;
            }
        }
        return Arrays.copyOf(missing, count);
    }
}
