package io.faasimage.api.start;

import io.faasimage.api.rest.FieldChecks;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A profile of several starts of one image on one node: where the time between the client's call and the container's
 * own program went, as {@code faasimage start-profile} measured it. Times are milliseconds.
 *
 * @param image its name in containerd
 * @param node the name of the machine
 * @param snapshotter of the containers
 * @param at when the service took it; null while it is sent
 * @param starts how many were profiled
 * @param total from the client's call to the container's own program
 * @param parts by program, and in each by category; what no start had is absent
 * @param waits by reason, included in the parts
 */
public record StartProfileInfo(
        String image,
        String node,
        String snapshotter,
        @Nullable Instant at,
        int starts,
        Spread total,
        Map<String, Map<String, Spread>> parts,
        Map<String, Spread> waits) {
    private static final int MOST_ROWS = 32;
    private static final double MOST_MILLIS = 1e9;

    /** Checks sizes and copies the maps. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public StartProfileInfo {
        FieldChecks.needed("image", image);
        FieldChecks.text("image", image, 1000);
        FieldChecks.name("node", node);
        FieldChecks.name("snapshotter", snapshotter);
        FieldChecks.range("starts", (long) starts, 1000);
        FieldChecks.needed("total", total);
        FieldChecks.needed("parts", parts);
        FieldChecks.needed("waits", waits);
        Map<String, Map<String, Spread>> copied = new LinkedHashMap<>();
        parts.forEach((part, categories) -> copied.put(part, checked("parts", categories)));
        FieldChecks.atMost("parts", copied.size(), MOST_ROWS);
        copied.keySet().forEach(part -> FieldChecks.name("parts", part));
        parts = Collections.unmodifiableMap(copied);
        waits = checked("waits", waits);
    }

    private static Map<String, Spread> checked(String field, Map<String, Spread> spreads) {
        FieldChecks.needed(field, spreads);
        FieldChecks.atMost(field, spreads.size(), MOST_ROWS);
        spreads.forEach((name, spread) -> {
            FieldChecks.name(field, name);
            FieldChecks.needed(field, spread);
        });
        return Collections.unmodifiableMap(new LinkedHashMap<>(spreads));
    }

    /** As above, taken by the service at {@code moment}. */
    public StartProfileInfo takenAt(Instant moment) {
        return new StartProfileInfo(image, node, snapshotter, moment, starts, total, parts, waits);
    }

    /**
     * Mean and sample standard deviation, milliseconds.
     *
     * @param mean over all starts
     * @param deviation 0 with one start
     */
    public record Spread(double mean, double deviation) {
        /** Checks that both are numbers from 0 on. */
        public Spread {
            if (!(mean >= 0 && mean <= MOST_MILLIS && deviation >= 0 && deviation <= MOST_MILLIS)) {
                throw FieldChecks.refused("mean", "and 'deviation' are milliseconds, from 0 to " + MOST_MILLIS);
            }
        }
    }
}
