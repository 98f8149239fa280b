/** Tests. */
@NullMarked
package io.faasimage.registry.function;

import org.jspecify.annotations.NullMarked;
