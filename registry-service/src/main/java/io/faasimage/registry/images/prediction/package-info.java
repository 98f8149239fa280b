/** Predictions of the first starts of images, from the service's knowledge of other images. */
@NullMarked
package io.faasimage.registry.images.prediction;

import org.jspecify.annotations.NullMarked;
