/** Tests of pieces of large objects. */
@NullMarked
package io.faasimage.refactor.piece;

import org.jspecify.annotations.NullMarked;
