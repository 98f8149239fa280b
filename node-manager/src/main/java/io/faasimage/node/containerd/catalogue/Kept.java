package io.faasimage.node.containerd.catalogue;

/**
 * The images that the catalogue keeps, as a pass has found them.
 *
 * @param wanted images that are to be ready
 * @param ready of these
 * @param bytes of their plans and metadata images
 * @param full whether the service lists more than are kept
 * @param room whether the disk had room for all of them
 */
public record Kept(int wanted, int ready, long bytes, boolean full, boolean room) {
    static final Kept NOTHING = new Kept(0, 0, 0, false, true);
}
