/** Events of starts, reported by the parts of the node that observe them, and switches that are on during starts. */
@NullMarked
package io.faasimage.node.link.start;

import org.jspecify.annotations.NullMarked;
