/** Pieces of large objects: which chunks starts read, by the ranges of a trace, and the objects cut along them. */
@NullMarked
package io.faasimage.refactor.piece;

import org.jspecify.annotations.NullMarked;
