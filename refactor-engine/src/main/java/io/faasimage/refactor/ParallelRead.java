package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.layer.LayerEntry;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerLimits;
import io.faasimage.refactor.layer.LayerReader;
import io.faasimage.refactor.spool.Spool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The parallel reading of all layers of an image, the largest first, up to the engine's limit at a time; the first
 * failure ends all. Layers that were read before are not read again.
 */
final class ParallelRead {
    private final EngineConfig config;
    private final ResolvedImage image;
    private final LayerReader reader;
    private final HeldLayers held;
    private final LayerLimits limits;
    private final LongConsumer done;
    private final List<LayerIndex> read = new ArrayList<>();

    ParallelRead(
            EngineConfig config,
            ImageSource source,
            ResolvedImage image,
            Holdings holdings,
            Spool spool,
            StartupPaths startup,
            ProgressListener progress) {
        this.config = config;
        this.image = image;
        this.limits = new LayerLimits(
                config.maxUncompressedBytes(),
                config.maxFileBytes(),
                config.maxEntries(),
                config.maxMetadataBytes(),
                config.maxXattrBytes());
        AtomicLong bytes = new AtomicLong();
        long total = image.compressedSize();
        this.done = n -> progress.progress(Phase.READ, Math.min(bytes.addAndGet(n), total), total);
        this.held = new HeldLayers(source, holdings, spool, limits);
        this.reader = new LayerReader(source, spool, limits, startup::level, done);
    }

    private record LayerRead(int number, LayerIndex index, boolean isNew) {}

    /** The changes of each layer, bottom first. */
    List<List<LayerEntry>> read() throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(
                config.parallelism(),
                Thread.ofPlatform().daemon().name("read-", 0).factory());
        CompletionService<LayerRead> reads = new ExecutorCompletionService<>(threads);
        try {
            submit(reads);
            return collect(reads);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted while reading layers", e);
        } finally {
            threads.shutdownNow();
            threads.close();
        }
    }

    /** Indexes of the layers that had to be read. */
    List<LayerIndex> newIndexes() {
        return List.copyOf(read);
    }

    /** Warnings about the parts that were left out of the layers. */
    List<String> warnings() {
        long skipped = limits.skippedXattrs();
        return skipped == 0
                ? List.of()
                : List.of(skipped + " extended attributes are left out, as containerd does: they are of a kind that"
                        + " Linux does not know, that only the host may set, or that such a file cannot have");
    }

    private void submit(CompletionService<LayerRead> reads) {
        IntStream.range(0, image.layers().size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer i) -> -image.layers().get(i).size()))
                .forEach(i -> reads.submit(() -> read(i)));
    }

    private LayerRead read(int number) throws IOException {
        LayerDescriptor layer = image.layers().get(number);
        Digest diffId = image.diffIds().get(number);
        Optional<LayerIndex> index = held.find(layer, diffId);
        if (index.isPresent()) {
            done.accept(layer.size());
            return new LayerRead(number, index.get(), false);
        }
        return new LayerRead(number, reader.read(number, layer, diffId, config.layerAttempts()), true);
    }

    private List<List<LayerEntry>> collect(CompletionService<LayerRead> reads)
            throws IOException, InterruptedException {
        List<List<LayerEntry>> layers = new ArrayList<>();
        image.layers().forEach(layer -> layers.add(List.of()));
        for (int i = 0; i < image.layers().size(); i++) {
            try {
                LayerRead layer = reads.take().get();
                layers.set(layer.number, layer.index.entries());
                if (layer.isNew) {
                    read.add(layer.index);
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException io
                        ? io
                        : new IOException("could not read a layer: " + e.getCause(), e.getCause());
            }
        }
        return layers;
    }
}
