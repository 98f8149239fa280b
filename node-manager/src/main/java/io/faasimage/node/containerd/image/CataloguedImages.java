package io.faasimage.node.containerd.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The images that the catalogue keeps in containerd: records, manifests, configurations and claimed layers, without any
 * content of a layer. Images of users are never changed. Thread-safe; blocking.
 */
public final class CataloguedImages {
    private final OciRegistry registry;
    private final ContainerdChannel containerd;
    private final String snapshotter;
    private final ImageImport imports;

    /** {@code imports} are those of the agent's pulls: all share its leases. */
    CataloguedImages(OciRegistry registry, ContainerdChannel containerd, String snapshotter, ImageImport imports) {
        this.registry = registry;
        this.containerd = containerd;
        this.snapshotter = snapshotter;
        this.imports = imports;
    }

    /** The namespaces of containerd. */
    public List<String> namespaces() throws IOException {
        return ContainerdCalls.namespaces(containerd);
    }

    /** All images of a namespace by name, with the manifest digest of those that are the catalogue's. */
    public Map<String, Optional<Digest>> all(String namespace) throws IOException {
        return records(namespace).all();
    }

    /**
     * Gets an image's documents from its OCI registry.
     *
     * @param manifest digest that they must have
     * @throws IOException also when the reference names another image meanwhile
     */
    public ImageDocuments resolve(ImageReference reference, Digest manifest) throws IOException {
        ImageDocuments image = ImageDocuments.of(registry, reference);
        Digest found = image.manifest().descriptor().digest();
        if (!found.equals(manifest)) {
            throw new IOException(
                    "its reference names another image (" + found + ") than at its registration; register it again");
        }
        return image;
    }

    /**
     * Makes an image ready whose plan is on this node; false when there is an image of a user with this name, which is
     * left as it is.
     *
     * @throws IOException when a layer is not claimed, or containerd fails
     */
    public boolean add(ImageReference reference, ImageDocuments image, String namespace) throws IOException {
        return imports.catalogue(reference, image, namespace);
    }

    /** Removes the record of an image if it is the catalogue's; containerd then collects its unreferenced content. */
    public void remove(String name, String namespace) throws IOException {
        records(namespace).removeCatalogued(name);
    }

    private ImageRecords records(String namespace) {
        return new ImageRecords(new ContainerdCalls(containerd, namespace), snapshotter);
    }
}
