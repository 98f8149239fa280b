/** Secrets that an installation of libraries reads, and nothing else may contain. */
@NullMarked
package io.faasimage.builder.secret;

import org.jspecify.annotations.NullMarked;
