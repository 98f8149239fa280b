/** Adding up in the background what requests only append. */
@NullMarked
package io.faasimage.registry.rollup;

import org.jspecify.annotations.NullMarked;
