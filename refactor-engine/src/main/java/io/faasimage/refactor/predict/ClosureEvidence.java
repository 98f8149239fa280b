package io.faasimage.refactor.predict;

import io.faasimage.refactor.closure.StaticClosure;
import io.faasimage.refactor.closure.image.TreeFiles;
import io.faasimage.refactor.closure.reads.ClosureFile;
import io.faasimage.refactor.closure.reads.ClosureLimits;
import io.faasimage.refactor.closure.reads.ParsedContents;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evidence from the static closure of an image. For one image, which is analysed once, and one thread. */
public final class ClosureEvidence implements FileEvidence {
    private static final String CONFIGURATION = "the image's command";

    private final ParsedContents parsed;
    private @Nullable List<PredictedFile> found;

    /** Evidence that is found faster where {@code parsed} has what parsers made of the image's files. */
    public ClosureEvidence(ParsedContents parsed) {
        this.parsed = parsed;
    }

    @Override
    public List<PredictedFile> of(FlatImage image) throws IOException {
        List<PredictedFile> known = found;
        if (known == null) {
            TreeFiles files = new TreeFiles(image.tree(), image.contents());
            known = StaticClosure.of(files, image.config(), ClosureLimits.DEFAULT, parsed).files().stream()
                    .map(ClosureEvidence::predicted)
                    .toList();
            found = known;
        }
        return known;
    }

    private static PredictedFile predicted(ClosureFile file) {
        return new PredictedFile(
                file.path(),
                Evidence.CLOSURE,
                file.by().isEmpty() ? CONFIGURATION : file.by(),
                file.confidence(),
                file.rank());
    }
}
