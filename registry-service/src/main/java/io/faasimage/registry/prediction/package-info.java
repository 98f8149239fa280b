/** Predictions of the first starts of images, from what the service knows of other images. */
@NullMarked
package io.faasimage.registry.prediction;

import org.jspecify.annotations.NullMarked;
