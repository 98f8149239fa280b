/** Objects: where each lies in the packs. */
@NullMarked
package io.faasimage.registry.store.object;

import org.jspecify.annotations.NullMarked;
