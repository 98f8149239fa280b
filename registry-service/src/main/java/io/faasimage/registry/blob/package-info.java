/** Files of the registry: published whole and synced or not at all, and read by offset. */
@NullMarked
package io.faasimage.registry.blob;

import org.jspecify.annotations.NullMarked;
