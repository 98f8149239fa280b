/** Plans of refactored images: their index by chain ID, their figures, and where their objects lie. */
@NullMarked
package io.faasimage.registry.plan;

import org.jspecify.annotations.NullMarked;
