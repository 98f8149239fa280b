/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.oci;

import org.jspecify.annotations.NullMarked;
