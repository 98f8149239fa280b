/**
 * What this node tells the registry of its starts and of itself: one record for each start, kept on the disk until the
 * registry has it, and a report on the node every now and then. Nothing here is waited for by a start.
 */
@NullMarked
package io.faasimage.node.record;

import org.jspecify.annotations.NullMarked;
