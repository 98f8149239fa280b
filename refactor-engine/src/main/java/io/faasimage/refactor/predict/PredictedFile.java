package io.faasimage.refactor.predict;

import io.faasimage.format.tree.FilePath;

/**
 * A file that a start probably reads.
 *
 * @param path in the image's root file system
 * @param evidence why
 * @param from the subject of the evidence: an image, a library or the file that needs it
 * @param probability that a start reads it, above 0 and at most 1
 * @param rank expected position in the order of reads; comparable among all files of an image
 */
public record PredictedFile(FilePath path, Evidence evidence, String from, double probability, double rank) {
    /** Checks the numbers. */
    public PredictedFile {
        if (!(probability > 0 && probability <= 1) || !(rank >= 0)) {
            throw new IllegalArgumentException(
                    "prediction out of range: " + path + ", probability " + probability + ", rank " + rank);
        }
    }
}
