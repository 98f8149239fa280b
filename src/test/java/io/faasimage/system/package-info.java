/** Tests across the parts: the layer rules, and the real processes together. */
@NullMarked
package io.faasimage.system;

import org.jspecify.annotations.NullMarked;
