package io.faasimage.node.plans.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The decoding of stored plans. The plan that was read or saved last stays in memory, since one start requests it
 * several times. Thread-safe.
 */
final class DecodedPlans {
    private final Path directory;
    private volatile SoftReference<Decoded> last = new SoftReference<>(null);

    private record Decoded(Digest digest, Plan plan) {}

    DecodedPlans(Path directory) {
        this.directory = directory;
    }

    /**
     * The plan from the disk.
     *
     * @throws FormatException when the file is damaged
     */
    Plan read(Digest digest) throws IOException {
        byte[] encoded = Files.readAllBytes(directory.resolve(digest.hex()));
        if (!Digest.of(encoded).equals(digest)) {
            throw FormatException.corrupt("the content of plan " + digest + " has the digest " + Digest.of(encoded));
        }
        return PlanCodec.decode(encoded);
    }

    /** As {@link #read}, but from memory if it is there and {@code usable}. */
    Plan load(Digest digest, boolean usable) throws IOException {
        Decoded here = last.get();
        if (usable && here != null && here.digest().equals(digest)) {
            return here.plan();
        }
        Plan plan = read(digest);
        keep(digest, plan);
        return plan;
    }

    /** Keeps a plan in memory. */
    void keep(Digest digest, Plan plan) {
        last = new SoftReference<>(new Decoded(digest, plan));
    }
}
