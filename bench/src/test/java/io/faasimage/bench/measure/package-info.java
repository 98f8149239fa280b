/** Tests of the package. */
@NullMarked
package io.faasimage.bench.measure;

import org.jspecify.annotations.NullMarked;
