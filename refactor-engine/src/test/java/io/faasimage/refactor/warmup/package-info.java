/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.warmup;

import org.jspecify.annotations.NullMarked;
