/** Tests of the warm-up. */
@NullMarked
package io.faasimage.node.warmup;

import org.jspecify.annotations.NullMarked;
