/**
 * The proxy snapshotter: containerd's snapshots service on a unix socket. An image without a plan is kept as
 * containerd's overlayfs snapshotter keeps it, one directory per layer. A layer of a planned image is never unpacked:
 * its snapshot is only a record, and a container on it gets the root file system that
 * {@link io.faasimage.node.plans.lazy.LazyImages} mounts.
 */
@NullMarked
package io.faasimage.node.containerd.snapshot;

import org.jspecify.annotations.NullMarked;
