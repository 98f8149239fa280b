/**
 * The image as an analysis sees it, and the reads of a start in it that are known so far.
 */
@NullMarked
package io.faasimage.closure.read;

import org.jspecify.annotations.NullMarked;
