/** Tests of what is kept of plans in memory. */
@NullMarked
package io.faasimage.registry.plan;

import org.jspecify.annotations.NullMarked;
