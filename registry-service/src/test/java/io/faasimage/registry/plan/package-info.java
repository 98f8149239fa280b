/** Tests of the parts of plans that are kept in memory. */
@NullMarked
package io.faasimage.registry.plan;

import org.jspecify.annotations.NullMarked;
