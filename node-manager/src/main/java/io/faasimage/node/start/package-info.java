/** Events of starts, reported by the parts of the node that observe them, and what is on while containers start. */
@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
