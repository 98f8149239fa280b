package io.faasimage.registry.images.prediction;

import io.faasimage.api.image.PredictionInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.predict.Evidence;
import io.faasimage.refactor.predict.PredictedFile;
import io.faasimage.refactor.predict.Prediction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The form in which a prediction is stored and shown. Stateless. */
public final class PredictionReport {
    private PredictionReport() {}

    /** The report of the prediction that {@code plan} is made from. */
    public static PredictionInfo of(Digest plan, Prediction prediction) {
        Map<Evidence, List<PredictedFile>> byEvidence = prediction.files().stream()
                .collect(Collectors.groupingBy(
                        PredictedFile::evidence, () -> new EnumMap<>(Evidence.class), Collectors.toList()));
        List<PredictionInfo.Source> sources = new ArrayList<>();
        byEvidence.forEach((evidence, files) -> sources.add(new PredictionInfo.Source(
                evidence.label(),
                files.size(),
                files.stream().mapToDouble(PredictedFile::probability).average().orElse(0))));
        return new PredictionInfo(
                plan.toString(),
                prediction.coverage(),
                sources,
                prediction.files().stream().map(PredictionReport::describe).toList());
    }

    private static PredictionInfo.File describe(PredictedFile file) {
        return new PredictionInfo.File(file.path().display(), file.evidence().label(), file.from(), file.probability());
    }
}
