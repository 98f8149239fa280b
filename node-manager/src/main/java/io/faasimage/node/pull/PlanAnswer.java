package io.faasimage.node.pull;

import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.node.pull.Lane.FirstAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The answer that brought a plan, with objects still to come.
 *
 * @param bundle read up to its first object
 * @param in what it is read from
 * @param coming indexes of the objects into the plan
 * @param received bytes of the objects that have come so far, as on the wire
 */
public record PlanAnswer(BundleReader bundle, InputStream in, List<IndexRange> coming, LongSupplier received) {
    /** Copies the list. */
    public PlanAnswer {
        coming = List.copyOf(coming);
    }

    /** The answer as the work of a lane; claims what is coming. */
    FirstAnswer first(WantedObjects wanted) {
        return new FirstAnswer(new ObjectStream(bundle, in), wanted.claim(wanted.among(coming)));
    }

    /** Nobody wants the objects. */
    public void drop() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
