/** Commands for images: registration, refactoring, traces, pulls, and the inspection of faasimage's files. */
@NullMarked
package io.faasimage.cli.image;

import org.jspecify.annotations.NullMarked;
