/** Tests of the package. */
@NullMarked
package io.faasimage.bench.coldstart;

import org.jspecify.annotations.NullMarked;
