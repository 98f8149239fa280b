/**
 * Root file systems shown from metadata images, for kernels that cannot mount them: the entries at their paths, and the
 * content of files as objects of the store. Knows nothing of FUSE.
 */
@NullMarked
package io.faasimage.gate.image;

import org.jspecify.annotations.NullMarked;
