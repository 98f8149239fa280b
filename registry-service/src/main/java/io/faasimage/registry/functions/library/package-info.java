/** Libraries that planned functions have, and how many functions share each. */
@NullMarked
package io.faasimage.registry.functions.library;

import org.jspecify.annotations.NullMarked;
