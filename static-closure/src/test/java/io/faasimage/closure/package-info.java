/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.closure;

import org.jspecify.annotations.NullMarked;
