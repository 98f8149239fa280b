/**
 * The static closure of an image: the files that its start will probably read, found without running it.
 */
@NullMarked
package io.faasimage.closure;

import org.jspecify.annotations.NullMarked;
