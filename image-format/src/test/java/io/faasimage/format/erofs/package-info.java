/** Tests of metadata images: written, read back, checked by fsck.erofs, and mounted. */
@NullMarked
package io.faasimage.format.erofs;

import org.jspecify.annotations.NullMarked;
