/** Failures that all formats share: corrupt, too old and too new are three different kinds. */
@NullMarked
package io.faasimage.format;

import org.jspecify.annotations.NullMarked;
