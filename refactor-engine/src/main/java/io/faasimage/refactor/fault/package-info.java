/** The one exception of the refactor engine, with a kind that implies the remedy. */
@NullMarked
package io.faasimage.refactor.fault;

import org.jspecify.annotations.NullMarked;
