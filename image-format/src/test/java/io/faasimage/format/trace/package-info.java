/** Tests of the trace format. */
@NullMarked
package io.faasimage.format.trace;

import org.jspecify.annotations.NullMarked;
