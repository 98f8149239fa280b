/** What happens in starts, reported by the parts of the node that see it. */
@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
