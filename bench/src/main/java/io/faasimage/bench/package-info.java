/** The command line of the measurements. */
@NullMarked
package io.faasimage.bench;

import org.jspecify.annotations.NullMarked;
