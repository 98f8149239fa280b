/** Tests of the plans on the local disk. */
@NullMarked
package io.faasimage.node.plan;

import org.jspecify.annotations.NullMarked;
