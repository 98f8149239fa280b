/**
 * Programs that commands start: entry points, shell text, scripts, ELF files with the libraries that their dynamic
 * loader finds, and the interface of language runtimes.
 */
@NullMarked
package io.faasimage.closure.program;

import org.jspecify.annotations.NullMarked;
