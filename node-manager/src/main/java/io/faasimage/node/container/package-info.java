/**
 * What the node's containerd tells of containers: the snapshotter makes their root file systems, and sees nothing of
 * what follows.
 */
@NullMarked
package io.faasimage.node.container;

import org.jspecify.annotations.NullMarked;
