/** Images on the node's containerd: pulled by chain ID, or the ordinary way, and traced on request. */
@NullMarked
package io.faasimage.node.image;

import org.jspecify.annotations.NullMarked;
