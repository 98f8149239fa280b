/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.host;

import org.jspecify.annotations.NullMarked;
