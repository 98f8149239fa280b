package io.faasimage.registry.feedback;

import io.faasimage.format.id.Digest;
import java.util.OptionalDouble;

/**
 * An object that starts of an image had to fetch on demand.
 *
 * @param object its digest
 * @param starts in how many
 * @param rank mean number of objects that they had read before it; empty when none said
 */
record MissedObject(Digest object, int starts, OptionalDouble rank) {}
