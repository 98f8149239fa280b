/** The calls of containerd that a container needs, in one namespace. */
@NullMarked
package io.faasimage.docker.containerd;

import org.jspecify.annotations.NullMarked;
