package io.faasimage.node.containerd.catalogue;

import java.time.Duration;
import java.util.List;

/**
 * Settings of the catalogue.
 *
 * @param images most images that are kept; none when 0
 * @param bytes most bytes of their plans and metadata images
 * @param namespaces of containerd that they are kept in
 */
public record CatalogueConfig(int images, long bytes, List<String> namespaces) {
    /** The most that the service lists. */
    public static final int MOST_IMAGES = 2000;

    /** Of some hundred functions. */
    public static final long USUAL_BYTES = 2_000_000_000;

    /** Pause between two requests for the list. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long an image stays away after another client has removed it. */
    static final Duration REMOVED = Duration.ofHours(1);

    /** Checks the numbers and copies the list. */
    public CatalogueConfig {
        namespaces = List.copyOf(namespaces);
        if (images < 0 || images > MOST_IMAGES || bytes < 0 || namespaces.isEmpty()) {
            throw new IllegalArgumentException("a catalogue has 0 to " + MOST_IMAGES + " images and a namespace");
        }
    }
}
