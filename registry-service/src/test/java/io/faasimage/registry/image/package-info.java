/** Tests of how images are found. */
@NullMarked
package io.faasimage.registry.image;

import org.jspecify.annotations.NullMarked;
