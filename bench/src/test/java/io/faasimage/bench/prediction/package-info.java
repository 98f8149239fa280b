/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.bench.prediction;

import org.jspecify.annotations.NullMarked;
