/** Tests of the command line. */
@NullMarked
package io.faasimage.node;

import org.jspecify.annotations.NullMarked;
