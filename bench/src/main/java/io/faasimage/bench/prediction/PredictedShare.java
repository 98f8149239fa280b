package io.faasimage.bench.prediction;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The comparison of a predicted prefetch list with the one from a trace of the same image. Bytes of content.
 *
 * @param coverage share of the bytes read that were predicted
 * @param excess bytes predicted and not read, divided by the bytes read
 * @param readBytes that starts read
 * @param predictedBytes of the predicted prefetch list
 * @param missedObjects that starts read and that were not predicted
 */
public record PredictedShare(double coverage, double excess, long readBytes, long predictedBytes, int missedObjects) {
    /**
     * Compares two plans of one image.
     *
     * @throws IllegalArgumentException when they are of different images, or nothing was read
     */
    public static PredictedShare of(Plan predicted, Plan traced) {
        if (!predicted.image().equals(traced.image())) {
            throw new IllegalArgumentException(
                    "the plans are of different images: " + predicted.image() + " and " + traced.image());
        }
        long read = bytes(traced.startup());
        if (read == 0) {
            throw new IllegalArgumentException("the starts of image " + traced.image() + " read nothing");
        }
        Set<Digest> known = new HashSet<>();
        predicted.startup().forEach(object -> known.add(object.digest()));
        Collection<PlanObject> both = traced.startup().stream()
                .filter(object -> known.contains(object.digest()))
                .toList();
        long all = bytes(predicted.startup());
        return new PredictedShare(
                (double) bytes(both) / read,
                (double) (all - bytes(both)) / read,
                read,
                all,
                traced.startup().size() - both.size());
    }

    private static long bytes(Collection<PlanObject> objects) {
        return objects.stream().mapToLong(PlanObject::size).sum();
    }
}
