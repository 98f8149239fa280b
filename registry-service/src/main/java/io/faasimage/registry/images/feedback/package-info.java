/**
 * Feedback from starts: their misses join the prefetch list of the image's next plan, without reading the image again.
 */
@NullMarked
package io.faasimage.registry.images.feedback;

import org.jspecify.annotations.NullMarked;
