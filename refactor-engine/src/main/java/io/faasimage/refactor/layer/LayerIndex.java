package io.faasimage.refactor.layer;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Inode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The index of a layer: enough to refactor an image with that layer without reading it again.
 *
 * @param blob digest of the layer as stored, which was verified
 * @param diffId digest of its uncompressed bytes, which was verified, too
 * @param blocks of the layer as stored
 * @param counts against the limits of an image
 * @param entries its changes in the order of its archive
 */
public record LayerIndex(Digest blob, Digest diffId, BlobBlocks blocks, LayerCounts counts, List<LayerEntry> entries) {
    public LayerIndex {
        entries = List.copyOf(entries);
    }

    /** Every content that the layer puts somewhere. */
    public Set<Digest> contents() {
        Set<Digest> contents = new HashSet<>();
        for (LayerEntry entry : entries) {
            if (entry instanceof LayerEntry.Put put && put.inode() instanceof Inode.RegularFile file) {
                file.content().ifPresent(contents::add);
            }
        }
        return contents;
    }
}
