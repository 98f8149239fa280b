/** What Prometheus may know of this service: {@code faasimage_registry_*}, described in docs/operations/metrics.md. */
@NullMarked
package io.faasimage.registry.meter;

import org.jspecify.annotations.NullMarked;
