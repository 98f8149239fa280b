/** Messages to and from the node agent's control socket. */
@NullMarked
package io.faasimage.api.control.node;

import org.jspecify.annotations.NullMarked;
