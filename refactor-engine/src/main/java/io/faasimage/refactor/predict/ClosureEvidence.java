package io.faasimage.refactor.predict;

import io.faasimage.closure.StaticClosure;
import io.faasimage.closure.read.ClosureFile;
import io.faasimage.closure.read.ClosureLimits;
import io.faasimage.closure.read.Invocation;
import io.faasimage.refactor.image.ImageConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Evidence from the static closure of an image. For one image, which is analysed once, and one thread. */
public final class ClosureEvidence implements FileEvidence {
    private static final String CONFIGURATION = "the image's command";

    private @Nullable List<PredictedFile> found;

    @Override
    public List<PredictedFile> of(FlatImage image) throws IOException {
        List<PredictedFile> known = found;
        if (known == null) {
            TreeFiles files = new TreeFiles(image.tree(), image.contents());
            known = StaticClosure.of(files, command(image.config()), ClosureLimits.DEFAULT).files().stream()
                    .map(ClosureEvidence::predicted)
                    .toList();
            found = known;
        }
        return known;
    }

    private static Optional<Invocation> command(ImageConfig config) {
        List<String> words = Stream.concat(config.entrypoint().stream(), config.command().stream())
                .toList();
        return Invocation.ofImage(words, config.env(), config.workingDirectory());
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
