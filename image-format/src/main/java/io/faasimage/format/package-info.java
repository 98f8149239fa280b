/** Failures that every format shares: corrupt, too old and too new are three different things. */
@NullMarked
package io.faasimage.format;

import org.jspecify.annotations.NullMarked;
