/** Tests of the gate: its parts alone, and as a real process under a real overlay. */
@NullMarked
package io.faasimage.gate.lookup;

import org.jspecify.annotations.NullMarked;
