/** Commands for the profiles of libraries and runtimes. */
@NullMarked
package io.faasimage.cli.library;

import org.jspecify.annotations.NullMarked;
