/** The objects of a store, whether they are files or lie in packs: their sizes, and why one cannot be written. */
@NullMarked
package io.faasimage.store.object;

import org.jspecify.annotations.NullMarked;
