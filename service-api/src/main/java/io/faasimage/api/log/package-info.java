/** How the agents, which log through java.util.logging, write their lines. */
@NullMarked
package io.faasimage.api.log;

import org.jspecify.annotations.NullMarked;
