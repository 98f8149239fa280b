/** Tests of the planned chains against a small registry over loopback. */
@NullMarked
package io.faasimage.node.plan;

import org.jspecify.annotations.NullMarked;
