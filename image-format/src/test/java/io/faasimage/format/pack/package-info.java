/** Tests of packs. */
@NullMarked
package io.faasimage.format.pack;

import org.jspecify.annotations.NullMarked;
