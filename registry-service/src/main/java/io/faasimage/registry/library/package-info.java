/** Libraries that planned functions have, and how many functions share each. */
@NullMarked
package io.faasimage.registry.library;

import org.jspecify.annotations.NullMarked;
