/** Ageing: the removal of old history. */
@NullMarked
package io.faasimage.registry.history;

import org.jspecify.annotations.NullMarked;
