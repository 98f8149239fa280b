/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.stream;

import org.jspecify.annotations.NullMarked;
