/** The spans of exchanges that begin starts, and of the first answers after them. */
@NullMarked
package io.faasimage.adapter.span;

import org.jspecify.annotations.NullMarked;
