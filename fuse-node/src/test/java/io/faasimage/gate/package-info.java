/** Tests of the gate: its parts alone, and as a real process under a real overlay. */
@NullMarked
package io.faasimage.gate;

import org.jspecify.annotations.NullMarked;
