/** Events of this node that an operator should know: a bounded list of recent ones, each also one log line. */
@NullMarked
package io.faasimage.node.link.event;

import org.jspecify.annotations.NullMarked;
