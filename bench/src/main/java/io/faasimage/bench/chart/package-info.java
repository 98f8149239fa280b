/** Pictures of results. */
@NullMarked
package io.faasimage.bench.chart;

import org.jspecify.annotations.NullMarked;
