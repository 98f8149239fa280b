/** Prefetch lists on their way to the node: which plan needs what, and the pulls that bring it. */
@NullMarked
package io.faasimage.node.prefetch;

import org.jspecify.annotations.NullMarked;
