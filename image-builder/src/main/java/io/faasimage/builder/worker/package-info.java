/**
 * The process {@code faasimage-builder}: it takes builds from services, runs them in its own directory, and reports how
 * far they are and what they print. All that reads strangers' code is in this process.
 */
@NullMarked
package io.faasimage.builder.worker;

import org.jspecify.annotations.NullMarked;
