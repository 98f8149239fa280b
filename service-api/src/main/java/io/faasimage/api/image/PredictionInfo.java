package io.faasimage.api.image;

import java.util.List;

/**
 * The evidence of an image's predicted plan: {@code GET /v1/images/{digest}/prediction}.
 *
 * @param plan digest of the plan
 * @param coverage estimate of the share of the bytes that a start reads which the prefetch list has, 0 to 1
 * @param sources of the prefetch list, the strongest evidence first
 * @param files of the prefetch list, in order
 */
public record PredictionInfo(String plan, double coverage, List<Source> sources, List<File> files) {
    public PredictionInfo {
        sources = List.copyOf(sources);
        files = List.copyOf(files);
    }

    /**
     * One kind of evidence.
     *
     * @param evidence {@code trace}, {@code moved}, {@code library}, {@code base} or {@code closure}
     * @param files that it is the strongest evidence of
     * @param confidence mean probability that a start reads them
     */
    public record Source(String evidence, int files, double confidence) {}

    /**
     * One file.
     *
     * @param path in the image
     * @param evidence why it is in the prefetch list
     * @param from the subject of the evidence: an image, a library, or the file that needs it
     * @param probability that a start reads it
     */
    public record File(String path, String evidence, String from, double probability) {}
}
