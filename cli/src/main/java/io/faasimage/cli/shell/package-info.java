/** Completions and the manual page, generated from the command's model. */
@NullMarked
package io.faasimage.cli.shell;

import org.jspecify.annotations.NullMarked;
