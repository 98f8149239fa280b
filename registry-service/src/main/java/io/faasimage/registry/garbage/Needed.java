package io.faasimage.registry.garbage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import java.util.HashSet;
import java.util.Set;

/** What the plans of a registry need. Not thread-safe. */
final class Needed {
    private final DigestPrefixes objects = new DigestPrefixes();
    private final Set<String> metadata = new HashSet<>();

    private final Set<Digest> read = new HashSet<>();

    /**
     * Reads the plans that it has not read yet.
     *
     * @throws ProblemException when one that is in the table cannot be read: what it needs is not known then
     */
    void read(PlanTable table, PlanFiles files) {
        for (Digest digest : table.all()) {
            try {
                if (!read.contains(digest)) {
                    add(files.plan(digest));
                    read.add(digest);
                }
            } catch (ProblemException e) {
                // Removed since the list was read.
                if (table.contains(digest)) {
                    throw e;
                }
            }
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
        return objects.contains(digest);
    }

    boolean metadata(String hex) {
        return metadata.contains(hex);
    }
}
