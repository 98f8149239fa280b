/** The whole in a few numbers. */
@NullMarked
package io.faasimage.registry.functions.overview;

import org.jspecify.annotations.NullMarked;
