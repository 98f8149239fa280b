/** A made-up image whose refactoring makes a fresh process quick for the first real one. */
@NullMarked
package io.faasimage.refactor.warmup;

import org.jspecify.annotations.NullMarked;
