/** Tests of the development cycle. */
@NullMarked
package io.faasimage.cli.development;

import org.jspecify.annotations.NullMarked;
