/** Tests of trace contexts. */
@NullMarked
package io.faasimage.api.span;

import org.jspecify.annotations.NullMarked;
