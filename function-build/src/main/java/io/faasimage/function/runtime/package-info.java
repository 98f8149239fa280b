/** Runtimes of functions: YAML files that say how an image is made of a language's code. */
@NullMarked
package io.faasimage.function.runtime;

import org.jspecify.annotations.NullMarked;
