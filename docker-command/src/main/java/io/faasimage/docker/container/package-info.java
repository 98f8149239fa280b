/** Containers: making, pausing, removing them, and what is known of them. containerd holds the state. */
@NullMarked
package io.faasimage.docker.container;

import org.jspecify.annotations.NullMarked;
