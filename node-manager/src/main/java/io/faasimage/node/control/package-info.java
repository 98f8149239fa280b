/** The commands of the node's control socket. */
@NullMarked
package io.faasimage.node.control;

import org.jspecify.annotations.NullMarked;
