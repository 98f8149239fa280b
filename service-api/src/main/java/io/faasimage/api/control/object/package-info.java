/** Messages to and from the socket at which the gate requests objects from the node agent. */
@NullMarked
package io.faasimage.api.control.object;

import org.jspecify.annotations.NullMarked;
