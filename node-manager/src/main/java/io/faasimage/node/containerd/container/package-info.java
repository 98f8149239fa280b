/**
 * Events of the node's containerd about containers: the snapshotter makes their root file systems, but does not see the
 * later steps of a start.
 */
@NullMarked
package io.faasimage.node.containerd.container;

import org.jspecify.annotations.NullMarked;
