/** Tests of the package. */
@NullMarked
package io.faasimage.bench.suite;

import org.jspecify.annotations.NullMarked;
