package io.faasimage.node.starts.record;

import io.faasimage.format.id.Digest;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.PullReport;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The findings about a planned start.
 *
 * @param pull that was for it
 * @param foreseen objects of the prefetch list; empty when the plan is not here any more
 * @param demands the plan's objects that were demanded, and whether each was foreseen
 * @param wireBytes of demanded objects that no other start has reported
 * @param paths of some of these
 */
record StartFindings(
        Optional<PullReport> pull,
        OptionalLong foreseen,
        Map<Demanded, Boolean> demands,
        long wireBytes,
        Map<Digest, String> paths) {
    static final StartFindings NONE = new StartFindings(Optional.empty(), OptionalLong.empty(), Map.of(), 0, Map.of());

    /** Copies the collections; the order of the demands stays. */
    StartFindings {
        demands = Collections.unmodifiableMap(new LinkedHashMap<>(demands));
        paths = Map.copyOf(paths);
    }

    /** How many of these the prefetch list does not name. */
    long unforeseen() {
        return demands.values().stream().filter(foreseen -> !foreseen).count();
    }
}
