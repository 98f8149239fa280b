/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.flatten;

import org.jspecify.annotations.NullMarked;
