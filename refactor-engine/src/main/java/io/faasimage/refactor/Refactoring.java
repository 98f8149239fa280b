package io.faasimage.refactor;

import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.flatten.Flattener;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.layer.LayerEntry;
import io.faasimage.refactor.spool.Spool;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One run of the engine: read, flatten, classify, pack. For one thread; what it starts ends with it. */
final class Refactoring implements Closeable {
    private final EngineConfig config;
    private final ImageSource source;
    private final ResolvedImage image;
    private final Path work;
    private final ProgressListener progress;
    private final Spool spool;
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);

    Refactoring(EngineConfig config, ImageSource source, ResolvedImage image, Path work, ProgressListener progress) {
        this.config = config;
        this.source = source;
        this.image = image;
        this.work = work;
        this.progress = progress;
        this.spool = new Spool(work);
    }

    RefactorResult run(Trace trace, ObjectIndex known, OutputFiles output) throws IOException {
        ParallelRead read = new ParallelRead(config, source, image, spool, progress);
        List<List<LayerEntry>> layers = timed(Phase.READ, read::read);
        ImageStack stack = new ImageStack(layers, config.maxEntries());
        MetadataWriter metadata = new MetadataWriter(work, output, config);
        List<PlanLayer> planLayers = timed(Phase.FLATTEN, () -> flatten(stack, metadata));
        SortedObjects objects = timed(Phase.CLASSIFY, () -> {
            progress.progress(Phase.CLASSIFY, 0, stack.tree().size());
            SortedObjects sorted = SortedObjects.sort(stack, spool, trace);
            progress.progress(Phase.CLASSIFY, stack.tree().size(), stack.tree().size());
            return sorted;
        });
        Plan plan = new Plan(
                image.manifest(),
                TraceCodec.digest(trace),
                planLayers,
                objects.libraries(),
                objects.objects(),
                objects.startupCount());
        PackSet packs = timed(Phase.PACK, () -> PackSet.write(plan, known, spool, work, output, config, progress));
        return new RefactorResult(
                plan,
                PlanCodec.digest(plan),
                metadata.images(),
                packs.files(),
                packs.locations(),
                new ReportWriter(image, plan, stack, objects, packs, read.warnings(), phases).report());
    }

    private List<PlanLayer> flatten(ImageStack stack, MetadataWriter metadata) throws IOException {
        int total = image.layers().size();
        List<PlanLayer> planLayers = new java.util.ArrayList<>();
        Flattener flattener = stack.flattener();
        for (int i = 0; i < total; i++) {
            stack.applyNext();
            MetadataImage written = metadata.write(flattener.tree());
            planLayers.add(new PlanLayer(image.chainIds().get(i), written.digest(), written.rawSize()));
            progress.progress(Phase.FLATTEN, i + 1L, total);
        }
        return planLayers;
    }

    @Override
    public void close() throws IOException {
        spool.close();
    }

    /** A step. */
    @FunctionalInterface
    private interface Step<T> {
        T run() throws IOException;
    }

    private <T> T timed(Phase phase, Step<T> step) throws IOException {
        long start = System.nanoTime();
        T result = step.run();
        phases.put(phase, Duration.ofNanos(System.nanoTime() - start));
        return result;
    }
}
