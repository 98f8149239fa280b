/** The development cycle: {@code faasimage dev} builds, plans and starts a function after each change of its code. */
@NullMarked
package io.faasimage.cli.development;

import org.jspecify.annotations.NullMarked;
