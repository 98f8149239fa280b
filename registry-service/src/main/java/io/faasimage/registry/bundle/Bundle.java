package io.faasimage.registry.bundle;

import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanLayout;
import java.util.List;

/**
 * What one request gets.
 *
 * @param layout of the plan
 * @param plan whether the plan is sent
 * @param metadata whether the metadata image is sent
 * @param objects that are sent, in rank order
 */
public record Bundle(PlanLayout layout, boolean plan, boolean metadata, List<StoredObject> objects) {
    /** Copies the list. */
    public Bundle {
        objects = List.copyOf(objects);
    }
}
