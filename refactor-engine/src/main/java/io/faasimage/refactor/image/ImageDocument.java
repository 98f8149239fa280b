package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Optional;

/** A parsed manifest or index, of Docker's or OCI's kind alike. */
sealed interface ImageDocument {
    /** The digest by which the document was requested, and its JSON. */
    record Fetched(Digest digest, String json) {}

    /** A list of images, one per platform or name. */
    record Index(List<Entry> entries) implements ImageDocument {
        public Index {
            entries = List.copyOf(entries);
        }
    }

    /** One image of an index. */
    record Entry(Digest digest, long size, String mediaType, Optional<Platform> platform, Optional<String> name) {}

    /** One image. */
    record Manifest(Digest config, long configSize, List<LayerDescriptor> layers) implements ImageDocument {
        public Manifest {
            layers = List.copyOf(layers);
        }
    }

    /** An image configuration. */
    record Configuration(Platform platform, List<Digest> diffIds, ImageConfig config) {
        public Configuration {
            diffIds = List.copyOf(diffIds);
        }
    }
}
