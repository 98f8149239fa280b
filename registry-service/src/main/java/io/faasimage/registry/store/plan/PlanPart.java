package io.faasimage.registry.store.plan;

import io.faasimage.registry.store.object.StoredObject;

/**
 * The part of an object that a bundle sends: some of its frames, or all of an object beyond the prefetch list.
 *
 * @param stored where these bytes lie
 * @param firstFrame which of the object's frames is the first one; -1 for a whole object
 * @param numbers how many of the plan's numbers it is
 */
public record PlanPart(StoredObject stored, int firstFrame, int numbers) {
    /** Whether it is a whole object beyond the prefetch list. */
    public boolean isWhole() {
        return firstFrame < 0;
    }
}
