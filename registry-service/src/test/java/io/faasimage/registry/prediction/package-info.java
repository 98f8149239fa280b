/** Tests of plans before the first start of an image. */
@NullMarked
package io.faasimage.registry.prediction;

import org.jspecify.annotations.NullMarked;
