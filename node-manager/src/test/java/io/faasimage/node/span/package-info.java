/** Tests of which trace what is done for a start belongs to. */
@NullMarked
package io.faasimage.node.span;

import org.jspecify.annotations.NullMarked;
