/** The gate's process, fuse-node: started, adopted after a restart, watched and started again. */
@NullMarked
package io.faasimage.node.gate;

import org.jspecify.annotations.NullMarked;
