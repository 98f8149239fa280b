/** The comparison of predicted prefetch lists with traced ones. */
@NullMarked
package io.faasimage.bench.prediction;

import org.jspecify.annotations.NullMarked;
