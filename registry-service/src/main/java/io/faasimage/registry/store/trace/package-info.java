/** Traces of starts: merged per stack of layers. */
@NullMarked
package io.faasimage.registry.store.trace;

import org.jspecify.annotations.NullMarked;
