package io.faasimage.registry.platform.config;

import io.faasimage.refactor.image.ImageBudget;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of one image's budget, as {@code --faasimage.budget.<name>=<value>}: an image beyond is refused at its
 * registration, or its job fails, with an error that names the setting.
 *
 * @param rate least bytes of a blob a second, over half a minute of waiting for its registry; up to eight blobs share
 *     the connection
 * @param document longest manifest or configuration, 16MB at most
 * @param layers layers of an image, of which Docker runs 125; 500 at most, as overlayfs mounts no more
 * @param compressed layers as they are downloaded, together
 * @param uncompressed layers as they are unpacked, together; half of the disk's free space if that is less
 * @param file one file
 * @param entries files, directories and links of all layers together; fewer if {@code faasimage.refactor.memory} or the
 *     service's heap have no room for them
 * @param metadataImages metadata images of an image together, uncompressed, of which each layer has one with all files
 *     up to it
 */
@ConfigurationProperties("faasimage.budget")
public record BudgetSettings(
        @DefaultValue("4KB") DataSize rate,
        @DefaultValue("8MB") DataSize document,
        @DefaultValue("128") int layers,
        @DefaultValue("32GB") DataSize compressed,
        @DefaultValue("64GB") DataSize uncompressed,
        @DefaultValue("16GB") DataSize file,
        @DefaultValue("1000000") int entries,
        @DefaultValue("8GB") DataSize metadataImages) {
    private static final DataSize MAX_DOCUMENT = DataSize.ofMegabytes(16);

    /** Checks the limits. */
    public BudgetSettings {
        if (document.compareTo(MAX_DOCUMENT) > 0 || document.toKilobytes() < 1) {
            throw new IllegalArgumentException("faasimage.budget.document must be 1KB to 16MB, not " + document);
        }
        if (layers < 1 || layers > ImageBudget.MAX_LAYERS) {
            throw new IllegalArgumentException(
                    "faasimage.budget.layers must be 1 to " + ImageBudget.MAX_LAYERS + ", not " + layers);
        }
        if (rate.toBytes() < 1
                || compressed.toBytes() < 1
                || uncompressed.toBytes() < 1
                || file.toBytes() < 1
                || metadataImages.toBytes() < 1
                || entries < 1) {
            throw new IllegalArgumentException("the limits of faasimage.budget.* must be positive");
        }
    }

    /** The same as the engine takes it. */
    public ImageBudget budget() {
        return new ImageBudget(
                rate.toBytes(),
                Math.toIntExact(document.toBytes()),
                layers,
                compressed.toBytes(),
                uncompressed.toBytes(),
                file.toBytes(),
                entries,
                metadataImages.toBytes());
    }
}
