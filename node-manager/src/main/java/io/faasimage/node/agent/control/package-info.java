/** The operations of the node's control sockets. */
@NullMarked
package io.faasimage.node.agent.control;

import org.jspecify.annotations.NullMarked;
