/** Tests of the catalogue. */
@NullMarked
package io.faasimage.node.catalogue;

import org.jspecify.annotations.NullMarked;
