/** The daemon process: its options, how its parts are put together, and what each command prints. */
@NullMarked
package io.faasimage.docker.daemon;

import org.jspecify.annotations.NullMarked;
