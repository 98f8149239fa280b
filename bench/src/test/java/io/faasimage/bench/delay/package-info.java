/** Tests of the package. */
@NullMarked
package io.faasimage.bench.delay;

import org.jspecify.annotations.NullMarked;
