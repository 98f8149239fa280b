package io.faasimage.api.control.node;

/**
 * The layers of an image in containerd's content store.
 *
 * @param image full name
 * @param layers of the image
 * @param fetched of these, by this call; the others were there
 * @param bytes of these
 */
public record ContentOutcome(String image, int layers, int fetched, long bytes) {}
