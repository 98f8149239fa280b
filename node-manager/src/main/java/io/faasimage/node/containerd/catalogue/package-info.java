/** The catalogue: images of the service's functions that are kept ready in containerd, so that no start pulls them. */
@NullMarked
package io.faasimage.node.containerd.catalogue;

import org.jspecify.annotations.NullMarked;
