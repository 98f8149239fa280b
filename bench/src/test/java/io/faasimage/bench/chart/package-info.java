/** Tests of the package. */
@NullMarked
package io.faasimage.bench.chart;

import org.jspecify.annotations.NullMarked;
