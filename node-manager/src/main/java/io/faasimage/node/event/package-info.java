/** What happened on this node that someone should know: a bounded list of recent events, each also one log line. */
@NullMarked
package io.faasimage.node.event;

import org.jspecify.annotations.NullMarked;
