/** Tests of the common parts of all commands. */
@NullMarked
package io.faasimage.cli.command;

import org.jspecify.annotations.NullMarked;
