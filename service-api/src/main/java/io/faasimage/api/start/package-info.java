/** Starts of containers in the REST API: their records, phases and sums. */
@NullMarked
package io.faasimage.api.start;

import org.jspecify.annotations.NullMarked;
