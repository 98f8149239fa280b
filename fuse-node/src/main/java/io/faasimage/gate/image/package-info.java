/**
 * Root file systems shown from metadata images, for kernels that cannot mount them: what lies at a path, and the
 * content of files as objects of the store. Knows nothing of FUSE.
 */
@NullMarked
package io.faasimage.gate.image;

import org.jspecify.annotations.NullMarked;
