/** Tests of the command line. */
@NullMarked
package io.faasimage.cli;

import org.jspecify.annotations.NullMarked;
