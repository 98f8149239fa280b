/** Command lines: the table of commands, the arguments that a command declares, its help and the shells' completion. */
@NullMarked
package io.faasimage.cli.line;

import org.jspecify.annotations.NullMarked;
