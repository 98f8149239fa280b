/**
 * Fuzz targets: every parser of bytes that somebody else wrote. A parser refuses an input by the exception of its
 * contract; anything else is a finding, whose input is kept in {@code corpus/<target>/}.
 */
@NullMarked
package io.faasimage.fuzz;

import org.jspecify.annotations.NullMarked;
