/** Plans of refactored images: their index by chain ID, their figures, and the locations of their objects. */
@NullMarked
package io.faasimage.registry.store.plan;

import org.jspecify.annotations.NullMarked;
