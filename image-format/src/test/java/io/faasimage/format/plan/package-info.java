/** Tests of the plan format. */
@NullMarked
package io.faasimage.format.plan;

import org.jspecify.annotations.NullMarked;
