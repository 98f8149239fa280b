/** The one exception of the refactor engine, with a kind that tells the remedy. */
@NullMarked
package io.faasimage.refactor.fault;

import org.jspecify.annotations.NullMarked;
