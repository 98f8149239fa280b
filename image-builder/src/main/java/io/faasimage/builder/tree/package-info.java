/** Directory trees on the local disk: copied, measured and removed, without following symbolic links. */
@NullMarked
package io.faasimage.builder.tree;

import org.jspecify.annotations.NullMarked;
