/** What stays on this node's disks, and where: moves between the tiers, eviction by use, pruning. */
@NullMarked
package io.faasimage.node.storage;

import org.jspecify.annotations.NullMarked;
