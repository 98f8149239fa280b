/**
 * The runtimes of languages, and the one scanner that finds imports in their sources.
 */
@NullMarked
package io.faasimage.closure.language;

import org.jspecify.annotations.NullMarked;
