/** Garbage collection: blobs that no plan has needed for a while are found and removed. */
@NullMarked
package io.faasimage.registry.store.garbage;

import org.jspecify.annotations.NullMarked;
