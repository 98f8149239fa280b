/** The log format of the agents, which log through java.util.logging. */
@NullMarked
package io.faasimage.api.log;

import org.jspecify.annotations.NullMarked;
