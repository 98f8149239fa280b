/** Tests of places of objects. */
@NullMarked
package io.faasimage.registry.object;

import org.jspecify.annotations.NullMarked;
