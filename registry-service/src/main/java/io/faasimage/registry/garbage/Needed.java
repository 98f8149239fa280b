package io.faasimage.registry.garbage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blobs that the plans of a service need. Not thread-safe. */
final class Needed {
    private static final Logger LOG = LoggerFactory.getLogger(Needed.class);
    private final DigestPrefixes objects = new DigestPrefixes();
    private final Set<String> metadata = new HashSet<>();
    /** What damaged plans could need: any eight bytes that they have. */
    private final DigestPrefixes damaged = new DigestPrefixes();

    private final Set<Digest> read = new HashSet<>();

    /**
     * Reads the plans that it has not read yet. Of a damaged one it is taken to need whatever its bytes could name; one
     * that is gone is as one that was deleted now, which nodes get no more and continue with for a while.
     *
     * @throws ProblemException when the plans cannot be read now
     */
    void read(PlanTable table, PlanFiles files) {
        for (Digest digest : table.all()) {
            if (!read.contains(digest)) {
                read(digest, files);
                read.add(digest);
            }
        }
    }

    private void read(Digest digest, PlanFiles files) {
        try {
            add(files.plan(digest));
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            Optional<byte[]> bytes = files.raw(digest);
            bytes.ifPresent(damaged::addAllIn);
            LOG.warn(
                    "{}; {}",
                    e.getMessage(),
                    bytes.isPresent()
                            ? "everything that its bytes name is kept"
                            : "files that only this plan needs are removed as if it were deleted");
        }
    }

    private void add(Plan plan) {
        for (PlanObject object : plan.objects()) {
            objects.add(object.digest());
        }
        for (PlanLayer layer : plan.layers()) {
            metadata.add(layer.metadata().hex());
        }
    }

    boolean object(Digest digest) {
        return objects.contains(digest) || damaged.contains(digest);
    }

    boolean metadata(String hex) {
        return metadata.contains(hex) || damaged.contains(new Digest(hex));
    }
}
