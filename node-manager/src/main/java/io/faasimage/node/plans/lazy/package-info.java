/** Lazy images as the snapshotter sees them: claimed without their layers, opened from plans, released. */
@NullMarked
package io.faasimage.node.plans.lazy;

import org.jspecify.annotations.NullMarked;
