/** Tests of the package. */
@NullMarked
package io.faasimage.node.cache;

import org.jspecify.annotations.NullMarked;
