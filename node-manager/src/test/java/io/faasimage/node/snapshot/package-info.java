/** Tests of the snapshotter, with real mounts, containerd's own suite and a real containerd. */
@NullMarked
package io.faasimage.node.snapshot;

import org.jspecify.annotations.NullMarked;
