/** Images on the node's containerd: pulled by a plan or layer by layer, and traced on request. */
@NullMarked
package io.faasimage.node.containerd.image;

import org.jspecify.annotations.NullMarked;
