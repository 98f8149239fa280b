/** Start-up traces: which files a start read, in which order, merged over runs. */
@NullMarked
package io.faasimage.format.trace;

import org.jspecify.annotations.NullMarked;
