package io.faasimage.node.pull;

import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The part of a plan that a pull fetches. */
public enum Part {
    /** The prefetch list. */
    STARTUP,
    /** The prefetch list, with the pieces that starts read, which come first, in place of objects that have pieces. */
    PIECES,
    /** Those of the prefetch list that belong to the operating system and the language runtime. */
    BASE,
    /** Everything else. */
    REST;

    /** Indexes into the plan's objects, and the pieces behind them, in the order in which they are wanted. */
    IntStream indexes(Plan plan) {
        return switch (this) {
            case PIECES -> IntStream.concat(plan.startupPieces(), withoutPieced(plan));
            case STARTUP -> IntStream.range(0, plan.startupCount());
            case BASE ->
                IntStream.range(0, plan.startupCount())
                        .filter(index -> isBase(plan.objects().get(index)));
            case REST -> IntStream.range(plan.startupCount(), plan.objects().size());
        };
    }

    private static IntStream withoutPieced(Plan plan) {
        Set<Integer> pieced = plan.pieced().stream().map(PiecedObject::object).collect(Collectors.toSet());
        return IntStream.range(0, plan.startupCount()).filter(index -> !pieced.contains(index));
    }

    /** Whether starts read it. */
    public boolean isForStart() {
        return this == STARTUP || this == PIECES;
    }

    private static boolean isBase(PlanObject object) {
        return object.segment() == Segment.BASE;
    }

    /** For people and JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
