package io.faasimage.refactor.predict;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** A predictor of the files that the first start of one image reads. */
public interface Predictor {
    /** Paths that are probably in the prediction, known before the image is read; they are compressed better. */
    Set<FilePath> likely();

    /** The prediction; empty when so little is known that the first start does better as an unplanned one. */
    Optional<Prediction> predict(FlatImage image) throws IOException;
}
