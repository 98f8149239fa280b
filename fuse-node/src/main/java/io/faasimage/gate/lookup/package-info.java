/** Look-ups of objects by their paths below the mount, and their answers. */
@NullMarked
package io.faasimage.gate.lookup;

import org.jspecify.annotations.NullMarked;
