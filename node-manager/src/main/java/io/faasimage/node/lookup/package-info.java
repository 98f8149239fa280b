/** Questions to the service about images and chains, and the plans that its answers bring. */
@NullMarked
package io.faasimage.node.lookup;

import org.jspecify.annotations.NullMarked;
