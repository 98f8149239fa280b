/** Events of starts, reported by the parts of the node that observe them. */
@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
