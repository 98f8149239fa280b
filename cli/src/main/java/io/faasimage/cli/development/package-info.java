/** The development loop: {@code faasimage dev} builds and starts a function after each change of its code. */
@NullMarked
package io.faasimage.cli.development;

import org.jspecify.annotations.NullMarked;
