/**
 * Bundles: the answer to one pull request as a stream of frames: the plan, the metadata image and the objects in rank
 * order. Payloads pass through; they are never held in memory, except plans and error messages.
 */
@NullMarked
package io.faasimage.format.bundle;

import org.jspecify.annotations.NullMarked;
