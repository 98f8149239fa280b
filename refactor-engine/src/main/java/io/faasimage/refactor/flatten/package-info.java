/** The flattening of layers into the root file system that containerd's overlay of the same layers would show. */
@NullMarked
package io.faasimage.refactor.flatten;

import org.jspecify.annotations.NullMarked;
