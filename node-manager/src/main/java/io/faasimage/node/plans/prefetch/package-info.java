/** Prefetch lists on their way to the node: the needs of each plan, and the pulls that meet them. */
@NullMarked
package io.faasimage.node.plans.prefetch;

import org.jspecify.annotations.NullMarked;
