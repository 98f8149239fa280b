/** The {@code faasimage} command: talks to registry-service over REST and to the node agent over its control socket. */
@NullMarked
package io.faasimage.cli;

import org.jspecify.annotations.NullMarked;
