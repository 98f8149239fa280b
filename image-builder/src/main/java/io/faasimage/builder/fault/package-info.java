/** Failures of a build: one exception whose kind tells who has to do what about it. */
@NullMarked
package io.faasimage.builder.fault;

import org.jspecify.annotations.NullMarked;
