package io.faasimage.refactor.predict;

import java.io.IOException;
import java.util.List;

/** One kind of evidence of the files that starts of an image read. */
@FunctionalInterface
public interface FileEvidence {
    /** The files of the image that a start may read by this evidence; several entries for a path are allowed. */
    List<PredictedFile> of(FlatImage image) throws IOException;
}
