package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.StartupSource.StartupFile;
import io.faasimage.refactor.classify.Classifier;
import io.faasimage.refactor.classify.Classifier.Classification;
import io.faasimage.refactor.classify.RuntimeName;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerIndexCodec;
import io.faasimage.refactor.predict.FlatImage;
import io.faasimage.refactor.spool.Spool;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of the engine: read, flatten, classify, pack. For one thread; the threads and files that it starts end with
 * it.
 */
final class Refactoring implements Closeable {
    private final EngineConfig config;
    private final ResolvedImage image;
    private final StartupSource source;
    private final Holdings known;
    private final Path work;
    private final ProgressListener progress;
    private final Spool spool;
    private final ParallelRead read;
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);

    Refactoring(
            EngineConfig config,
            ImageSource layers,
            ResolvedImage image,
            StartupSource source,
            Holdings known,
            Path work,
            ProgressListener progress)
            throws IOException {
        this.config = config;
        this.image = image;
        this.source = source;
        this.known = known;
        this.work = work;
        this.progress = progress;
        this.spool = new Spool(work, known, config.parallelism());
        this.read = new ParallelRead(config, layers, image, known, spool, StartupPaths.of(source, config), progress);
    }

    /** Empty when nothing is known of the image's starts. */
    Optional<RefactorResult> run(OutputFiles output) throws IOException {
        ImageStack stack = new ImageStack(timed(Phase.READ, read::read), config.maxEntries());
        try (MetadataWriter metadata = new MetadataWriter(work, output, config, known)) {
            return run(output, stack, metadata);
        }
    }

    private Optional<RefactorResult> run(OutputFiles output, ImageStack stack, MetadataWriter metadata)
            throws IOException {
        List<PlanLayer> planLayers = timed(Phase.FLATTEN, () -> flatten(stack, metadata));
        Classified classified = timed(Phase.CLASSIFY, () -> classify(stack));
        if (classified.startup().isEmpty()) {
            return Optional.empty();
        }
        StartupSource.Startup startup = classified.startup().get();
        SortedObjects objects = SortedObjects.sort(stack, classified.owners(), startup.files());
        PackSet packs = timed(Phase.PACK, () -> PackSet.write(objects, spool, output, config, progress));
        Plan plan = new Plan(
                image.manifest(),
                startup.name(),
                planLayers,
                objects.libraries(),
                objects.objects(),
                prefetch(objects, packs));
        return Optional.of(new RefactorResult(
                plan,
                PlanCodec.digest(plan),
                metadata.images(),
                packs.files(),
                packs.locations(),
                layerFiles(output),
                startup.prediction(),
                startup.libraries(),
                new ReportWriter(image, plan, stack, objects, packs, warnings(startup.files(), stack), phases)
                        .report()));
    }

    private List<String> warnings(List<StartupFile> files, ImageStack stack) {
        List<String> warnings = new ArrayList<>(read.warnings());
        MissingBytecode.of(stack.tree(), files, RuntimeName.of(stack.tree()))
                .map(MissingBytecode::warning)
                .ifPresent(warnings::add);
        return warnings;
    }

    private record Classified(Classification owners, Optional<StartupSource.Startup> startup) {}

    private Classified classify(ImageStack stack) throws IOException {
        progress.progress(Phase.CLASSIFY, 0, stack.tree().size());
        spool.await();
        Classification owners = Classifier.classify(stack.tree(), spool::bytes);
        FlatImage files = new FlatImage(stack.tree(), spool::open, owners, image.config(), image.compressedSize());
        Optional<StartupSource.Startup> startup = source.of(files);
        progress.progress(Phase.CLASSIFY, stack.tree().size(), stack.tree().size());
        return new Classified(owners, startup);
    }

    /** The frames of the prefetch list's objects, those in the new packs and those that are stored already. */
    private List<PrefetchObject> prefetch(SortedObjects objects, PackSet packs) throws IOException {
        List<PlanObject> startup = objects.objects().subList(0, objects.startupCount());
        Map<Digest, ObjectFrames> frames = new HashMap<>();
        packs.locations().forEach(at -> frames.put(at.digest(), at.frames()));
        frames.putAll(known.frames(startup.stream()
                .map(PlanObject::digest)
                .filter(digest -> !frames.containsKey(digest))
                .toList()));
        List<PrefetchObject> prefetch = new ArrayList<>();
        for (PlanObject object : startup) {
            ObjectFrames stored = frames.get(object.digest());
            if (stored == null) {
                throw new RefactorException(
                        Kind.UNAVAILABLE, "object " + object.digest() + ", which was stored, is not any more");
            }
            prefetch.add(new PrefetchObject(
                    stored, ReadFrames.of(objects.reads().getOrDefault(object.digest(), List.of()), object.size())));
        }
        return prefetch;
    }

    private List<LayerFile> layerFiles(OutputFiles output) throws IOException {
        List<LayerFile> files = new ArrayList<>();
        for (LayerIndex index : read.newIndexes()) {
            Path part = output.begin();
            Files.write(part, LayerIndexCodec.encode(index));
            files.add(new LayerFile(
                    index.blob(), output.name(part, "layer-" + index.blob().hex() + ".index")));
        }
        return files;
    }

    private List<PlanLayer> flatten(ImageStack stack, MetadataWriter metadata) throws IOException {
        int total = image.layers().size();
        List<MetadataWriter.Written> images = new ArrayList<>();
        while (stack.size() < total) {
            stack.applyNext();
            images.add(metadata.write(stack.tree()));
            progress.progress(Phase.FLATTEN, stack.size(), total);
        }
        List<PlanLayer> planLayers = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            planLayers.add(new PlanLayer(
                    image.chainIds().get(i),
                    images.get(i).digest(),
                    images.get(i).size()));
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
