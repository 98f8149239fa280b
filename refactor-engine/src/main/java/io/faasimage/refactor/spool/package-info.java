/** Contents between the reading of layers and the writing of packs: hashed, compressed once, by digest. */
@NullMarked
package io.faasimage.refactor.spool;

import org.jspecify.annotations.NullMarked;
