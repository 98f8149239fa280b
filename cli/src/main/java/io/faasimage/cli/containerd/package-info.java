/**
 * containerd's client {@code ctr}, and containerd's configuration on a node: telling it of the snapshotter in a file of
 * its own (a drop-in), and taking that back. containerd itself says what its configuration is ({@code containerd config
 * dump}); nothing is written that it refuses.
 */
@NullMarked
package io.faasimage.cli.containerd;

import org.jspecify.annotations.NullMarked;
