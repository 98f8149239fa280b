/** Messages to and from the socket at which the gate asks the node agent for objects. */
@NullMarked
package io.faasimage.api.control.object;

import org.jspecify.annotations.NullMarked;
