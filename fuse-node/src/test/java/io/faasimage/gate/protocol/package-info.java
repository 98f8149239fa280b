/** Tests of the FUSE protocol. */
@NullMarked
package io.faasimage.gate.protocol;

import org.jspecify.annotations.NullMarked;
