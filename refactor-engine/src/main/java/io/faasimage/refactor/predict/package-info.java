/** Predictions of what the first start of an image reads, made from its files before anybody has started it. */
@NullMarked
package io.faasimage.refactor.predict;

import org.jspecify.annotations.NullMarked;
