/** Tests. */
@NullMarked
package io.faasimage.registry.blob;

import org.jspecify.annotations.NullMarked;
