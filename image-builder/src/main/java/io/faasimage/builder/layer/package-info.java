/** Image layers from directories, whose bytes depend only on names and contents. */
@NullMarked
package io.faasimage.builder.layer;

import org.jspecify.annotations.NullMarked;
