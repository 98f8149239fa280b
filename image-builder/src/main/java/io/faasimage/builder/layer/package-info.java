/** Directories as image layers whose bytes depend on names and contents alone. */
@NullMarked
package io.faasimage.builder.layer;

import org.jspecify.annotations.NullMarked;
