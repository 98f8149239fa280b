/** Registered functions and the rules of their names. */
@NullMarked
package io.faasimage.registry.functions.function;

import org.jspecify.annotations.NullMarked;
