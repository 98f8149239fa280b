/**
 * What a shell and its user need besides the command: completions and the manual page, made from the command's model.
 */
@NullMarked
package io.faasimage.cli.shell;

import org.jspecify.annotations.NullMarked;
