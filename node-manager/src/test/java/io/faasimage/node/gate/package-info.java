/** Tests of the gate's supervision. */
@NullMarked
package io.faasimage.node.gate;

import org.jspecify.annotations.NullMarked;
