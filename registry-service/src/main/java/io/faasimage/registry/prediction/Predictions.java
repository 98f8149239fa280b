package io.faasimage.registry.prediction;

import io.faasimage.refactor.predict.ClosureEvidence;
import io.faasimage.refactor.predict.FileEvidence;
import io.faasimage.refactor.predict.InheritedTrace;
import io.faasimage.refactor.predict.Predictor;
import io.faasimage.refactor.predict.ProfileEvidence;
import io.faasimage.refactor.predict.StartPredictor;
import io.faasimage.registry.config.PredictionSource;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.profile.ProfileStore;
import io.faasimage.registry.trace.TraceStore;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The maker of predictors for images that nobody has started yet. Thread-safe. */
@Component
public class Predictions {
    private final PredictionSource source;
    private final ImageTable images;
    private final TraceStore traces;
    private final ProfileStore profiles;
    private final PlannedFiles files;

    Predictions(
            RegistrySettings settings,
            ImageTable images,
            TraceStore traces,
            ProfileStore profiles,
            PlannedFiles files) {
        this.source = settings.predict();
        this.images = images;
        this.traces = traces;
        this.profiles = profiles;
        this.files = files;
    }

    /** Whether there is anything to predict the first start of an image from. */
    public boolean arePossible(ImageRow image) {
        return switch (source) {
            case NONE -> false;
            case TRACES -> images.tracedBefore(image.digest()).isPresent();
            case ALL -> true;
        };
    }

    /** The predictor of an image's first start. */
    public Predictor predictor(ImageRow image) {
        Optional<InheritedTrace> inherited = images.tracedBefore(image.digest()).flatMap(this::inherit);
        return new StartPredictor(inherited, source == PredictionSource.ALL ? others(image) : List.of());
    }

    private List<FileEvidence> others(ImageRow image) {
        String repository = images.repository(image.digest()).orElse("");
        FileEvidence closure = new ClosureEvidence();
        return List.of(new ProfileEvidence(library -> profiles.of(library, repository), closure), closure);
    }

    private Optional<InheritedTrace> inherit(ImageRow earlier) {
        return traces.find(earlier.topChain())
                .map(trace -> new InheritedTrace(
                        earlier.digest().toString(), trace, earlier.plan().flatMap(files::of)));
    }
}
