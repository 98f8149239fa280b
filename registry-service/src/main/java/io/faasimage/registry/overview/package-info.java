/** The whole in a few numbers. */
@NullMarked
package io.faasimage.registry.overview;

import org.jspecify.annotations.NullMarked;
