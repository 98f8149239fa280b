/** Tests of which exchanges have spans. */
@NullMarked
package io.faasimage.adapter.span;

import org.jspecify.annotations.NullMarked;
