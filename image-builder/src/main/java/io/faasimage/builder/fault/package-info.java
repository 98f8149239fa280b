/** Failures of a build: one exception whose kind says who can fix it. */
@NullMarked
package io.faasimage.builder.fault;

import org.jspecify.annotations.NullMarked;
