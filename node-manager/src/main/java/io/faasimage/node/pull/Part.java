package io.faasimage.node.pull;

import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The part of a plan that a pull fetches. */
public enum Part {
    /** What starts read of the prefetch list. */
    STARTUP,
    /** Of it, the objects that belong to the operating system and the language runtime. */
    BASE,
    /** Everything else. */
    REST;

    /** Indexes into the plan's objects, in the order in which they are wanted. */
    IntStream indexes(Plan plan) {
        return switch (this) {
            case STARTUP -> IntStream.range(0, plan.startupCount());
            case BASE ->
                IntStream.range(0, plan.startupCount())
                        .filter(index -> isBase(plan.objects().get(index)));
            case REST ->
                IntStream.range(0, plan.objects().size())
                        .filter(index -> index >= plan.startupCount()
                                || plan.prefetch().get(index).isPartlyRead());
        };
    }

    /** Which frames of an object of the prefetch list it fetches. */
    List<IndexRange> frames(PrefetchObject object) {
        if (this != REST) {
            return object.wanted();
        }
        List<IndexRange> others = new ArrayList<>();
        int next = 0;
        for (IndexRange range : object.wanted()) {
            if (range.from() > next) {
                others.add(new IndexRange(next, range.from()));
            }
            next = range.to();
        }
        if (next < object.frames().count()) {
            others.add(new IndexRange(next, object.frames().count()));
        }
        return others;
    }

    /** Whether starts read it. */
    public boolean isForStart() {
        return this == STARTUP;
    }

    private static boolean isBase(PlanObject object) {
        return object.segment() == Segment.BASE;
    }

    /** For people and JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
