/** The operations of the node's control sockets. */
@NullMarked
package io.faasimage.node.control;

import org.jspecify.annotations.NullMarked;
