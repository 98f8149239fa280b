/** A TCP proxy that adds round-trip time and nothing else, for kernels without netem. */
@NullMarked
package io.faasimage.bench.delay;

import org.jspecify.annotations.NullMarked;
