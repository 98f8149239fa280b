/** Tests of packs. */
@NullMarked
package io.faasimage.store.pack;

import org.jspecify.annotations.NullMarked;
