package io.faasimage.node.containerd.image;

import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.containerd.image.ImageDocuments.Document;
import io.faasimage.node.containerd.image.LayerSnapshots.Layer;
import io.faasimage.node.plans.lazy.PullProof.Purpose;
import io.faasimage.oci.OciRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The way of images from their registry into containerd. Thread-safe; blocking. */
final class ImageImport {
    private final OciRegistry registry;
    private final ContainerdChannel containerd;
    private final String snapshotter;
    private final Leases leases;

    /** {@code snapshotter} is the name under which containerd knows this node's snapshotter. */
    ImageImport(OciRegistry registry, ContainerdChannel containerd, String snapshotter) {
        this.registry = registry;
        this.containerd = containerd;
        this.snapshotter = snapshotter;
        this.leases = new Leases(snapshotter);
    }

    /**
     * The layers that were downloaded in full.
     *
     * @param layers that were not there
     * @param bytes of these
     */
    record Fetched(int layers, long bytes) {}

    /**
     * Puts an image into containerd: its layers, those unpacked that the snapshotter does not claim, then its record.
     */
    Fetched image(ImageReference reference, ImageDocuments image, String namespace, Consumer<TaskProgress> progress)
            throws IOException {
        try (Containerd client = open(namespace)) {
            Fetched fetched = layers(client, reference, image, progress);
            writeDocuments(client, image);
            client.records().put(reference.toString(), image.root().descriptor());
            return fetched;
        }
    }

    /**
     * Puts an image into containerd for the catalogue, without anything of its layers' content; false when there is an
     * image of a user with this name, which is left as it is.
     *
     * @throws IOException when a layer is not claimed
     */
    boolean catalogue(ImageReference reference, ImageDocuments image, String namespace) throws IOException {
        try (Containerd client = open(namespace)) {
            claim(client, image);
            writeDocuments(client, image);
            return client.records()
                    .putCatalogued(
                            reference.toString(),
                            image.root().descriptor(),
                            image.manifest().descriptor().digest());
        }
    }

    private static void claim(Containerd client, ImageDocuments image) throws IOException {
        Digest manifest = image.manifest().descriptor().digest();
        Optional<ChainId> parent = Optional.empty();
        for (ChainId chain : image.chains()) {
            if (client.layers().prepare(chain, parent, manifest, Purpose.CATALOGUE) instanceof Layer.Wanted wanted) {
                IOException refused = new IOException("the snapshotter did not accept layer " + chain + " of its plan");
                client.layers().giveUp(wanted, refused);
                throw refused;
            }
            parent = Optional.of(chain);
        }
    }

    /**
     * Fetches the layers that containerd's content store lacks, without unpacking them. containerd keeps them as long
     * as the image, which must be there.
     */
    Fetched content(ImageReference reference, ImageDocuments image, String namespace, Consumer<TaskProgress> progress)
            throws IOException {
        int fetched = 0;
        long bytes = 0;
        try (Containerd client = open(namespace)) {
            for (int i = 0; i < image.layers().size(); i++) {
                Descriptor layer = image.layers().get(i);
                if (client.content().holds(layer)) {
                    progress.accept(layerEvent(image, i, "present"));
                } else {
                    progress.accept(layerEvent(image, i, "download"));
                    fetch(client, reference, layer);
                    fetched++;
                    bytes += layer.size();
                }
            }
            writeDocuments(client, image);
        }
        return new Fetched(fetched, bytes);
    }

    private Containerd open(String namespace) throws IOException {
        return Containerd.open(containerd, namespace, snapshotter, leases);
    }

    /** Bottom up: when a document is there, everything that it refers to is there, too. */
    private void writeDocuments(Containerd client, ImageDocuments image) throws IOException {
        write(
                client,
                image.config(),
                Map.of(
                        "containerd.io/gc.ref.snapshot." + snapshotter,
                        image.top().toString()));
        write(client, image.manifest(), manifestLabels(image));
        if (image.isIndex()) {
            String child = image.manifest().descriptor().digest().toString();
            write(client, image.root(), Map.of("containerd.io/gc.ref.content.m.0", child));
        }
    }

    private static void write(Containerd client, Document document, Map<String, String> labels) throws IOException {
        client.content().write(document.descriptor(), new ByteArrayInputStream(document.bytes()), labels);
    }

    private static Map<String, String> manifestLabels(ImageDocuments image) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(
                "containerd.io/gc.ref.content.config",
                image.config().descriptor().digest().toString());
        for (int i = 0; i < image.layers().size(); i++) {
            labels.put(
                    "containerd.io/gc.ref.content.l." + i,
                    image.layers().get(i).digest().toString());
        }
        return labels;
    }

    private Fetched layers(
            Containerd client, ImageReference reference, ImageDocuments image, Consumer<TaskProgress> progress)
            throws IOException {
        int fetched = 0;
        long bytes = 0;
        Optional<ChainId> parent = Optional.empty();
        for (int i = 0; i < image.layers().size(); i++) {
            ChainId chain = image.chains().get(i);
            Descriptor layer = image.layers().get(i);
            switch (client.layers()
                    .prepare(chain, parent, image.manifest().descriptor().digest(), Purpose.START)) {
                case Layer.Present present -> progress.accept(layerEvent(image, i, "present"));
                case Layer.Wanted wanted -> {
                    progress.accept(layerEvent(image, i, "download"));
                    try {
                        fetch(client, reference, layer);
                    } catch (IOException e) {
                        client.layers().giveUp(wanted, e);
                        throw e;
                    }
                    progress.accept(layerEvent(image, i, "unpack"));
                    client.layers().unpack(wanted, layer, chain);
                    fetched++;
                    bytes += layer.size();
                }
            }
            parent = Optional.of(chain);
        }
        return new Fetched(fetched, bytes);
    }

    private void fetch(Containerd client, ImageReference reference, Descriptor layer) throws IOException {
        try (InputStream blob = registry.open(reference, layer.digest())) {
            client.content()
                    .write(
                            layer,
                            blob,
                            Map.of(
                                    "containerd.io/distribution.source." + reference.registry(),
                                    reference.repository()));
        }
    }

    private static TaskProgress layerEvent(ImageDocuments image, int index, String step) {
        List<Descriptor> layers = image.layers();
        return TaskProgress.layer(step, index, layers.size(), layers.get(index).size());
    }
}
