/** Tests of the package of the same name. */
@NullMarked
package io.faasimage.refactor.spool;

import org.jspecify.annotations.NullMarked;
