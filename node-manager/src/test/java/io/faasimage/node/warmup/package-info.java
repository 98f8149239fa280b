/** Tests of the made-up pull. */
@NullMarked
package io.faasimage.node.warmup;

import org.jspecify.annotations.NullMarked;
