/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.rehearsal;

import org.jspecify.annotations.NullMarked;
