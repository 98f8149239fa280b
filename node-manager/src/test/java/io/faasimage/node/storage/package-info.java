/** Tests of moves between the tiers, eviction and pruning. */
@NullMarked
package io.faasimage.node.storage;

import org.jspecify.annotations.NullMarked;
