/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.classify;

import org.jspecify.annotations.NullMarked;
