/** The development loop: {@code faasimage dev} builds, registers and starts a function after each change of its code. */
@NullMarked
package io.faasimage.cli.development;

import org.jspecify.annotations.NullMarked;
