/** Tests of what all commands share. */
@NullMarked
package io.faasimage.cli.command;

import org.jspecify.annotations.NullMarked;
