/** Tests of the control sockets' commands. */
@NullMarked
package io.faasimage.node.control;

import org.jspecify.annotations.NullMarked;
