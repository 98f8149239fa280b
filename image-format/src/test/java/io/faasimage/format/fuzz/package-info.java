/** Seeded random mutation of encoded documents, which every parser of this module must survive. */
@NullMarked
package io.faasimage.format.fuzz;

import org.jspecify.annotations.NullMarked;
