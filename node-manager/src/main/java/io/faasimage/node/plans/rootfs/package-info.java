/** Root file systems of planned layers: mounts of metadata images, data layers and the gate below overlays. */
@NullMarked
package io.faasimage.node.plans.rootfs;

import org.jspecify.annotations.NullMarked;
