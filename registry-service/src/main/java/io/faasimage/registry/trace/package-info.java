/** Traces of starts: merged per stack of layers. */
@NullMarked
package io.faasimage.registry.trace;

import org.jspecify.annotations.NullMarked;
