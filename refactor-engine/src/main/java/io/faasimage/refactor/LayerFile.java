package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;

/**
 * The index of a layer that was read, complete and synced to disk, for {@link
 * io.faasimage.refactor.held.Holdings#layerIndex}.
 *
 * @param blob digest of the layer as stored
 * @param file in the output directory
 */
public record LayerFile(Digest blob, Path file) {}
