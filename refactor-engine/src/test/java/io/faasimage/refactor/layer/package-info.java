/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.layer;

import org.jspecify.annotations.NullMarked;
