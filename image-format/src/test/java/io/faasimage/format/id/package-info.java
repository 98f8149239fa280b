/** Tests of the identifiers. */
@NullMarked
package io.faasimage.format.id;

import org.jspecify.annotations.NullMarked;
