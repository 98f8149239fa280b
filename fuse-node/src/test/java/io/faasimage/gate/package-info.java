/** Tests of the gate as a process under a real overlay, and of its options. */
@NullMarked
package io.faasimage.gate;

import org.jspecify.annotations.NullMarked;
