/** Tests of the planned chains against a small registry over loopback. */
@NullMarked
package io.faasimage.node.rootfs;

import org.jspecify.annotations.NullMarked;
