/** The command line: exactly the calls and options that OpenWhisk sends, each a record. */
@NullMarked
package io.faasimage.docker.command;

import org.jspecify.annotations.NullMarked;
