/** Metrics of this service for Prometheus: {@code faasimage_registry_*}, described in docs/operations/metrics.md. */
@NullMarked
package io.faasimage.registry.meter;

import org.jspecify.annotations.NullMarked;
