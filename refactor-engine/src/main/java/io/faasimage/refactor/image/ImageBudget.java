package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.List;

/**
 * The budget of one image: the limits that hold for any image of any registry, with the names of the service's options
 * that raise them.
 *
 * @param bytesPerSecond of one blob over half a minute in which the registry is waited for
 * @param documentBytes longest manifest or configuration
 * @param layers of one image
 * @param compressedBytes of all layers together, as the manifest announces them
 * @param uncompressedBytes of all layers together
 * @param fileBytes of one file
 * @param entries of all layers together, with the directories that only their paths imply
 * @param metadataBytes of the metadata images of all prefixes together, uncompressed: each has all files below it, so
 *     that many layers on many files are quadratic
 */
public record ImageBudget(
        long bytesPerSecond,
        int documentBytes,
        int layers,
        long compressedBytes,
        long uncompressedBytes,
        long fileBytes,
        int entries,
        long metadataBytes) {
    /** overlayfs mounts no image of more layers (OVL_MAX_STACK in Linux' fs/overlayfs). */
    public static final int MAX_LAYERS = 500;

    /**
     * A budget that the largest known images fit in: 4 KiB a second, so that eight layers at a time fit in 1 Mbit/s
     * thrice; documents of 8 MiB, 128 layers (Docker runs 125), 32 GiB compressed and 64 GiB uncompressed, files of 16
     * GiB, a million entries, 8 GiB of metadata images.
     */
    public static final ImageBudget DEFAULT =
            new ImageBudget(4 << 10, 8 << 20, 128, 32L << 30, 64L << 30, 16L << 30, 1_000_000, 8L << 30);

    /** Checks that all are positive, and a document can be an image's. */
    public ImageBudget {
        if (bytesPerSecond < 1
                || layers < 1
                || compressedBytes < 1
                || uncompressedBytes < 1
                || fileBytes < 1
                || entries < 1
                || metadataBytes < 1) {
            throw new IllegalArgumentException("the budget of an image must be positive");
        }
        if (documentBytes < 1024) {
            throw new IllegalArgumentException("manifests need 1024 bytes at least");
        }
    }

    /**
     * Checks the sizes that the manifest of {@code image} announces.
     *
     * @throws RefactorException LIMIT when these are more layers or bytes
     */
    void check(ImageLocation image, List<LayerDescriptor> announced) throws RefactorException {
        if (announced.size() > layers) {
            throw new RefactorException(
                    Kind.LIMIT,
                    image + " has " + announced.size() + " layers, the limit is " + layers + raise("layers"));
        }
        long left = compressedBytes;
        for (LayerDescriptor layer : announced) {
            if (layer.size() > left) {
                throw new RefactorException(
                        Kind.LIMIT,
                        "the layers of " + image + " have more than the limit of " + compressedBytes + " bytes"
                                + raise("compressed"));
            }
            left -= layer.size();
        }
    }

    /** The option of the service that a message names as the remedy. */
    public static String raise(String option) {
        return "; --faasimage.budget." + option + " raises it for images that are trusted";
    }
}
