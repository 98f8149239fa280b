/** Benchmarks of registry-service's own parts, in one JVM. */
@NullMarked
package io.faasimage.bench.registry;

import org.jspecify.annotations.NullMarked;
