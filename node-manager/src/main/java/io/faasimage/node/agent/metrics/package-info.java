/** Metrics of this node for Prometheus: {@code faasimage_node_*}, described in docs/operations/metrics.md. */
@NullMarked
package io.faasimage.node.agent.metrics;

import org.jspecify.annotations.NullMarked;
