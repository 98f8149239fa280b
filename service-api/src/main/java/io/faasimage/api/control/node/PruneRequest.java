package io.faasimage.api.control.node;

/**
 * A request to drop everything that nothing on the node needs.
 *
 * @param all whether plans are dropped, too, that no container runs on and no pull is for
 */
public record PruneRequest(boolean all) {}
