package io.faasimage.refactor.predict;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The reads that are expected of the first start of an image; the trace of that start replaces them.
 *
 * @param files the prefetch list, by rank, then path; no path twice
 * @param coverage estimate of the share of the bytes read that the files have, 0 to 1
 */
public record Prediction(List<PredictedFile> files, double coverage) {
    private static final Comparator<PredictedFile> ORDER =
            Comparator.comparingDouble(PredictedFile::rank).thenComparing(PredictedFile::path);

    /** Copies and sorts the files. */
    public Prediction {
        files = files.stream().sorted(ORDER).toList();
        Set<FilePath> paths = new HashSet<>();
        for (PredictedFile file : files) {
            if (!paths.add(file.path())) {
                throw new IllegalArgumentException(file.path() + " is predicted twice");
            }
        }
        if (!(coverage >= 0 && coverage <= 1)) {
            throw new IllegalArgumentException("a coverage is 0 to 1, not " + coverage);
        }
    }

    /**
     * The name of the prediction, which a plan has in the place of its trace's: the SHA-256 of a line for each file.
     */
    public Digest digest() {
        StringBuilder lines = new StringBuilder("prediction\n");
        for (PredictedFile file : files) {
            lines.append(file.evidence().label())
                    .append(String.format(Locale.ROOT, " %.4f ", file.probability()))
                    .append(file.path().raw())
                    .append('\0')
                    .append('\n');
        }
        return Digest.of(lines.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
