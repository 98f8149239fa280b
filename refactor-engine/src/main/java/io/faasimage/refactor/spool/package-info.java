/** Where file contents wait on disk, each once, from the reading of the layers until they are packed. */
@NullMarked
package io.faasimage.refactor.spool;

import org.jspecify.annotations.NullMarked;
