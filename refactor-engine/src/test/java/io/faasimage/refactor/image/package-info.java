/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.image;

import org.jspecify.annotations.NullMarked;
