package io.faasimage.refactor;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.RefactorReport.LibraryFigures;
import io.faasimage.refactor.RefactorReport.SegmentFigures;
import io.faasimage.refactor.classify.RuntimeName;
import io.faasimage.refactor.image.ResolvedImage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A collector of a refactoring's figures. */
record ReportWriter(
        ResolvedImage image,
        Plan plan,
        ImageStack stack,
        SortedObjects sorted,
        PackSet packs,
        List<String> readWarnings,
        Map<ProgressListener.Phase, Duration> phases) {
    private static final class Sum {
        private int startupObjects;
        private long startupBytes;
        private int objects;
        private long bytes;

        void add(PlanObject object, boolean startup) {
            objects++;
            bytes += object.size();
            if (startup) {
                startupObjects++;
                startupBytes += object.size();
            }
        }
    }

    RefactorReport report() {
        Map<Segment, Sum> segments = new EnumMap<>(Segment.class);
        for (Segment segment : Segment.values()) {
            segments.put(segment, new Sum());
        }
        List<Sum> libraries = new ArrayList<>();
        plan.libraries().forEach(l -> libraries.add(new Sum()));
        for (int i = 0; i < plan.objects().size(); i++) {
            PlanObject object = plan.objects().get(i);
            boolean startup = i < plan.startupCount();
            segments.computeIfAbsent(object.segment(), s -> new Sum()).add(object, startup);
            if (object.library() >= 0) {
                libraries.get(object.library()).add(object, startup);
            }
        }
        Map<Segment, SegmentFigures> figures = new EnumMap<>(Segment.class);
        segments.forEach((segment, sum) ->
                figures.put(segment, new SegmentFigures(sum.startupObjects, sum.startupBytes, sum.objects, sum.bytes)));
        return new RefactorReport(
                figures,
                libraryFigures(libraries),
                (int) stack.tree().inodes().values().stream()
                        .filter(i -> i instanceof Inode.RegularFile)
                        .count(),
                stack.tree().size(),
                sorted.tracedFiles(),
                sorted.missingFiles(),
                image.compressedSize(),
                plan.objects().stream().mapToLong(PlanObject::size).sum(),
                packs.locations().size(),
                packs.files().stream().mapToLong(PackFile::rawBytes).sum(),
                packs.locations().stream().mapToLong(ObjectLocation::storedSize).sum(),
                phases,
                Stream.concat(readWarnings.stream(), sorted.warnings().stream()).toList(),
                RuntimeName.of(stack.tree()));
    }

    private List<LibraryFigures> libraryFigures(List<Sum> sums) {
        List<LibraryFigures> figures = new ArrayList<>();
        for (int i = 0; i < sums.size(); i++) {
            Library library = plan.libraries().get(i);
            Sum sum = sums.get(i);
            figures.add(new LibraryFigures(library, sum.startupBytes, sum.objects, sum.bytes));
        }
        return figures;
    }
}
