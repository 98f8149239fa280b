/** Tests of partial objects. */
@NullMarked
package io.faasimage.format.partial;

import org.jspecify.annotations.NullMarked;
