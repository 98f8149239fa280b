/** The management of this node's disks: moves between the tiers, eviction by use, pruning. */
@NullMarked
package io.faasimage.node.plans.storage;

import org.jspecify.annotations.NullMarked;
