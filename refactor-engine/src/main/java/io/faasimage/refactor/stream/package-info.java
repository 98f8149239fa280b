/** Byte streams between threads: one thread produces ahead, another one consumes, with a bound between them. */
@NullMarked
package io.faasimage.refactor.stream;

import org.jspecify.annotations.NullMarked;
