/** Events of starts, reported by the parts of the node that observe them, and switches that are on during starts. */
@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
