/** Tests of the mounts of planned root file systems. */
@NullMarked
package io.faasimage.node.rootfs;

import org.jspecify.annotations.NullMarked;
