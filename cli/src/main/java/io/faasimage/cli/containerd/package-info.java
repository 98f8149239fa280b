/**
 * containerd's client {@code ctr}, and containerd's configuration on a node: the snapshotter is added in a file of its
 * own (a drop-in), and removed again. containerd itself reports its configuration ({@code containerd config dump});
 * nothing is written that it refuses.
 */
@NullMarked
package io.faasimage.cli.containerd;

import org.jspecify.annotations.NullMarked;
