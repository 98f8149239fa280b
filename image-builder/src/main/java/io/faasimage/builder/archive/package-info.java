/** Archives that a user sends, unpacked into a directory: bounded, and never a byte outside of it. */
@NullMarked
package io.faasimage.builder.archive;

import org.jspecify.annotations.NullMarked;
