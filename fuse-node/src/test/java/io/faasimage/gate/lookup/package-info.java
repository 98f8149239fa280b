/** Tests of paths in the gate. */
@NullMarked
package io.faasimage.gate.lookup;

import org.jspecify.annotations.NullMarked;
