package io.faasimage.registry.store.plan;

import io.faasimage.api.image.ImageInfo.LibraryInfo;
import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The sizes of a plan's segments and libraries.
 *
 * @param segments base, lib, func
 * @param libraries those that own objects, in the plan's order
 */
public record PlanFigures(List<SegmentInfo> segments, List<LibraryInfo> libraries) {
    public PlanFigures {
        segments = List.copyOf(segments);
        libraries = List.copyOf(libraries);
    }

    /** Counts; {@code storedLength} gives each object's compressed size. */
    public static PlanFigures of(Plan plan, ToLongFunction<PlanObject> storedLength) {
        List<SegmentInfo> segments = new ArrayList<>();
        for (Segment segment : Segment.values()) {
            segments.add(segment(plan, segment, storedLength));
        }
        return new PlanFigures(segments, libraries(plan));
    }

    private static SegmentInfo segment(Plan plan, Segment segment, ToLongFunction<PlanObject> storedLength) {
        long[] startup = new long[3];
        long[] all = new long[3];
        for (int i = 0; i < plan.objects().size(); i++) {
            PlanObject object = plan.objects().get(i);
            if (object.segment() == segment) {
                long stored = storedLength.applyAsLong(object);
                add(all, object, stored);
                if (i < plan.startupCount()) {
                    add(startup, object, stored);
                }
            }
        }
        return new SegmentInfo(segment.label(), startup[0], startup[1], startup[2], all[0], all[1], all[2]);
    }

    private static void add(long[] sums, PlanObject object, long stored) {
        sums[0]++;
        sums[1] += object.size();
        sums[2] += stored;
    }

    private static List<LibraryInfo> libraries(Plan plan) {
        long[] objects = new long[plan.libraries().size()];
        long[] bytes = new long[plan.libraries().size()];
        for (PlanObject object : plan.objects()) {
            if (object.library() >= 0) {
                objects[object.library()]++;
                bytes[object.library()] += object.size();
            }
        }
        List<LibraryInfo> result = new ArrayList<>();
        for (int i = 0; i < objects.length; i++) {
            Library library = plan.libraries().get(i);
            result.add(new LibraryInfo(library.ecosystem(), library.name(), library.version(), objects[i], bytes[i]));
        }
        return result;
    }
}
