/** Plans and metadata images on the local disk, with what is remembered of each. */
@NullMarked
package io.faasimage.node.plan;

import org.jspecify.annotations.NullMarked;
