package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.rest.FieldChecks;
import org.jspecify.annotations.Nullable;

/**
 * An object that a start had to wait for, because it read a file whose content was not on the node.
 *
 * @param object its digest
 * @param path of the file in the image, one of them when several have this content; null when not known
 * @param at microseconds after the start's begin at which it was requested
 * @param waited microseconds until it was there
 * @param foreseen whether it was in the plan's prefetch list, and only late
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DemandFetch(String object, @Nullable String path, long at, long waited, boolean foreseen) {
    /** Checks the limits. */
    public DemandFetch {
        FieldChecks.needed("demands.object", object);
        FieldChecks.digest("demands.object", object);
        FieldChecks.text("demands.path", path, 4096);
        FieldChecks.range("demands.at", at, StartPhases.MOST_MICROS);
        FieldChecks.range("demands.waited", waited, StartPhases.MOST_MICROS);
    }
}
