/** Tests of the made-up pull. */
@NullMarked
package io.faasimage.node.rehearsal;

import org.jspecify.annotations.NullMarked;
