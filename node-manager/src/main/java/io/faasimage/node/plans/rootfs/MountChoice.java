package io.faasimage.node.plans.rootfs;

/** The operator's choice of how planned root file systems are mounted. */
public enum MountChoice {
    /** The kernel's own, else the gate's, as found by trying. */
    AUTO,
    /** Only the kernel's own: where it cannot, images are handled as ordinary ones. */
    NATIVE,
    /** The gate's, also where the kernel could. */
    FUSE
}
