/** The roll-up in the background of rows that requests only append. */
@NullMarked
package io.faasimage.registry.rollup;

import org.jspecify.annotations.NullMarked;
