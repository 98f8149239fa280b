/** Tokens of registry-service on the command line. */
@NullMarked
package io.faasimage.cli.token;

import org.jspecify.annotations.NullMarked;
