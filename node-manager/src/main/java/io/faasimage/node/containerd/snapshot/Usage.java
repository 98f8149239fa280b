package io.faasimage.node.containerd.snapshot;

/**
 * The disk usage of a snapshot, without its parents.
 *
 * @param bytes allocated bytes
 * @param inodes files, directories and other entries, hard links counted once
 */
record Usage(long bytes, long inodes) {
    static final Usage NONE = new Usage(0, 0);

    Usage {
        if (bytes < 0 || inodes < 0) {
            throw new IllegalArgumentException("negative usage: " + bytes + " bytes, " + inodes + " inodes");
        }
    }
}
