package io.faasimage.registry.images.prediction;

import io.faasimage.format.trace.Trace;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.profile.ProfileStore;
import io.faasimage.registry.platform.config.PredictionSource;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.trace.TraceStore;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The evidence for predictions of first starts, of images that have not been started yet. Thread-safe. */
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

    /** The evidence of an image's starts: its trace, or evidence for the prediction of its first start. */
    public StartEvidence evidence(ImageRow image) {
        Optional<Trace> trace = traces.find(image.topChain());
        if (trace.isPresent()) {
            return new StartEvidence.Traced(trace.get());
        }
        if (!arePossible(image)) {
            throw ProblemException.notFound("the image's trace was removed; trace a start again");
        }
        Optional<InheritedFiles> inherited = images.tracedBefore(image.digest()).flatMap(this::inherit);
        String repository = images.repository(image.digest()).orElse("");
        return new StartEvidence.Earlier(
                inherited,
                source == PredictionSource.ALL
                        ? Optional.of(library -> profiles.of(library, repository))
                        : Optional.empty());
    }

    private Optional<InheritedFiles> inherit(ImageRow earlier) {
        return traces.find(earlier.topChain())
                .map(trace -> new InheritedFiles(
                        earlier.digest(),
                        trace,
                        target -> earlier.plan().isPresent()
                                && files.write(earlier.plan().get(), target)));
    }
}
