/** Predictions of the reads of an image's first start, made from its files before that start. */
@NullMarked
package io.faasimage.refactor.predict;

import org.jspecify.annotations.NullMarked;
