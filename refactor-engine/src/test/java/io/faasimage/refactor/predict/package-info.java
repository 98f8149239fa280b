/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.predict;

import org.jspecify.annotations.NullMarked;
