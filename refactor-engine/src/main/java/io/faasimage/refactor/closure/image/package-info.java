/**
 * The root file system of an image as the static closure reads it: paths, links, contents.
 */
@NullMarked
package io.faasimage.refactor.closure.image;

import org.jspecify.annotations.NullMarked;
