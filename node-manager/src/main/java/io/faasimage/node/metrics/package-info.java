/** What Prometheus may know of this node: {@code faasimage_node_*}, described in docs/operations/metrics.md. */
@NullMarked
package io.faasimage.node.metrics;

import org.jspecify.annotations.NullMarked;
