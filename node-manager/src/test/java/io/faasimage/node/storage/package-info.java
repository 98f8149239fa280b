/** Tests of eviction and pruning. */
@NullMarked
package io.faasimage.node.storage;

import org.jspecify.annotations.NullMarked;
