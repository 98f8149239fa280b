/** Tests of metrics. */
@NullMarked
package io.faasimage.node.metrics;

import org.jspecify.annotations.NullMarked;
