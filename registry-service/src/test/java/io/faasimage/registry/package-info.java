/** Tests. */
@NullMarked
package io.faasimage.registry;

import org.jspecify.annotations.NullMarked;
