/** Failures of requests as RFC 9457 problems: the kinds, and the exception that carries one to the edge. */
@NullMarked
package io.faasimage.registry.platform.problem;

import org.jspecify.annotations.NullMarked;
