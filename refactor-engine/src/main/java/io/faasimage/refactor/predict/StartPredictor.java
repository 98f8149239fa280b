package io.faasimage.refactor.predict;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The predictor from all evidence that there is of an image. Evidence of different kinds about a file adds up; files
 * are pulled ahead, and the plan is used at all, as {@link StartCost} decides. For one image and one thread.
 */
public final class StartPredictor implements Predictor {
    private final Optional<InheritedTrace> inherited;
    private final List<FileEvidence> others;

    /** A predictor from the trace of an earlier image, if there is one, and from other evidence. */
    public StartPredictor(Optional<InheritedTrace> inherited, List<FileEvidence> others) {
        this.inherited = inherited;
        this.others = List.copyOf(others);
    }

    @Override
    public Set<FilePath> likely() {
        return inherited.map(InheritedTrace::paths).orElse(Set.of());
    }

    @Override
    public Optional<Prediction> predict(FlatImage image) throws IOException {
        Map<FilePath, PredictedFile> merged = new HashMap<>();
        if (inherited.isPresent()) {
            inherited.get().of(image).forEach(file -> merged.merge(file.path(), file, StartPredictor::both));
        }
        for (FileEvidence evidence : others) {
            for (PredictedFile file : evidence.of(image)) {
                if (!isRefuted(image, file.path())) {
                    merged.merge(file.path(), file, StartPredictor::both);
                }
            }
        }
        double coverage = inherited.isPresent() ? inherited.get().coverage(image) : coverage(image, merged.values());
        return prediction(image, merged.values(), coverage);
    }

    /** Without a trace: the share of the reads that is usually found by the evidence that names the files. */
    private static double coverage(FlatImage image, Collection<PredictedFile> candidates) {
        double all = 0;
        double covered = 0;
        for (PredictedFile file : candidates) {
            double bytes = file.probability()
                    * image.file(file.path()).map(Inode.RegularFile::size).orElse(0L);
            all += bytes;
            covered += bytes * file.evidence().coverage();
        }
        return all == 0 ? 0 : covered / all;
    }

    private boolean isRefuted(FlatImage image, FilePath path) {
        return inherited
                .filter(trace -> image.content(path)
                        .filter(content -> trace.isUnread(path, content))
                        .isPresent())
                .isPresent();
    }

    /** Two pieces of evidence about a file: the stronger one names it, the earlier one ranks it. */
    private static PredictedFile both(PredictedFile a, PredictedFile b) {
        PredictedFile first = a.evidence().compareTo(b.evidence()) <= 0 ? a : b;
        return new PredictedFile(
                first.path(),
                first.evidence(),
                first.from(),
                1 - (1 - a.probability()) * (1 - b.probability()),
                first.evidence() == Evidence.TRACE ? first.rank() : Math.min(a.rank(), b.rank()));
    }

    private static Optional<Prediction> prediction(
            FlatImage image, Collection<PredictedFile> candidates, double coverage) {
        List<PredictedFile> files = new ArrayList<>();
        Map<Digest, Long> pulled = new HashMap<>();
        double readObjects = 0;
        double readBytes = 0;
        for (PredictedFile file : candidates) {
            Optional<Inode.RegularFile> inode = image.file(file.path());
            Optional<Digest> content = inode.flatMap(Inode.RegularFile::content);
            if (content.isEmpty()) {
                continue;
            }
            long size = inode.get().size();
            if (StartCost.isPulledAhead(file.probability(), size)) {
                files.add(file);
                pulled.put(content.get(), size);
            }
            readObjects += file.probability();
            readBytes += file.probability() * size;
        }
        long pulledBytes = pulled.values().stream().mapToLong(Long::longValue).sum();
        return StartCost.isLazyBetter(pulledBytes, readObjects, readBytes, coverage, image.compressedBytes())
                ? Optional.of(new Prediction(files, coverage))
                : Optional.empty();
    }
}
