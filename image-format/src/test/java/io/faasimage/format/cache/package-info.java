/** Tests of the package. */
@NullMarked
package io.faasimage.format.cache;

import org.jspecify.annotations.NullMarked;
