/** The common parts of all commands: options, exit codes, and the connections to the service and the node agent. */
@NullMarked
package io.faasimage.cli.command;

import org.jspecify.annotations.NullMarked;
