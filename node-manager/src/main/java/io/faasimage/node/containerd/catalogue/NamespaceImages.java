package io.faasimage.node.containerd.catalogue;

import io.faasimage.format.id.Digest;
import io.faasimage.node.containerd.image.CataloguedImages;
import io.faasimage.node.containerd.image.ImageDocuments;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The images of one namespace of containerd, as they are during a pass. For one thread. */
final class NamespaceImages {
    private final String namespace;
    private final CataloguedImages images;
    /** By name, with the manifest digest of those that are the catalogue's. */
    private final Map<String, Optional<Digest>> records;

    private NamespaceImages(String namespace, CataloguedImages images) throws IOException {
        this.namespace = namespace;
        this.images = images;
        this.records = new HashMap<>(images.all(namespace));
    }

    static NamespaceImages read(String namespace, CataloguedImages images) throws IOException {
        return new NamespaceImages(namespace, images);
    }

    String namespace() {
        return namespace;
    }

    boolean has(String name) {
        return records.containsKey(name);
    }

    /** Whether the image is to be made ready here. A user's image of its name is the user's business. */
    boolean lacks(WantedImage image) {
        Optional<Digest> manifest = records.get(image.name());
        return manifest == null
                || manifest.filter(digest -> !digest.equals(image.manifest())).isPresent();
    }

    /** Names of those that are the catalogue's. */
    Set<String> ours() {
        return records.entrySet().stream()
                .filter(record -> record.getValue().isPresent())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    void add(WantedImage image, ImageDocuments documents) throws IOException {
        boolean added = images.add(image.reference(), documents, namespace);
        records.put(image.name(), added ? Optional.of(image.manifest()) : Optional.empty());
    }

    /** Removes the catalogue's image of this name, if it is here. */
    void remove(String name) throws IOException {
        if (records.containsKey(name)) {
            images.remove(name, namespace);
            records.remove(name);
        }
    }
}
