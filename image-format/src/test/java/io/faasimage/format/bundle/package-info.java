/** Tests of the bundle format. */
@NullMarked
package io.faasimage.format.bundle;

import org.jspecify.annotations.NullMarked;
