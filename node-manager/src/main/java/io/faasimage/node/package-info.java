/** The node agent's process: its command line, and how its parts are put together, started and stopped. */
@NullMarked
package io.faasimage.node;

import org.jspecify.annotations.NullMarked;
