/**
 * The classification of an image's files into base (operating system and language runtime), a library with a name and a
 * version, or the function itself; from the databases that package managers keep in the image.
 */
@NullMarked
package io.faasimage.refactor.classify;

import org.jspecify.annotations.NullMarked;
