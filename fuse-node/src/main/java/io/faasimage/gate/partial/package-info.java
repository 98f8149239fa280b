/** Files of the gate that stand for large objects of which a node has only some pieces. */
@NullMarked
package io.faasimage.gate.partial;

import org.jspecify.annotations.NullMarked;
