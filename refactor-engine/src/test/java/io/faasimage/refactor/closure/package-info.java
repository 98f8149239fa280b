/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.closure;

import org.jspecify.annotations.NullMarked;
