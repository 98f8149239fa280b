package io.faasimage.node.containerd.catalogue;

import io.faasimage.api.function.CatalogueImage;
import io.faasimage.node.containerd.catalogue.CataloguePass.Parts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A keeper of the catalogue's images in containerd. Its state is in containerd's records alone, so another process
 * continues where this one was killed. For one thread.
 */
final class CatalogueKeeper {
    private static final String TOPIC = "catalogue";

    private final CatalogueConfig config;
    private final Parts parts;
    /** The images that were here after the last pass, by namespace. */
    private final Map<String, Set<String>> before = new HashMap<>();

    CatalogueKeeper(CatalogueConfig config, Parts parts) {
        this.config = config;
        this.parts = parts;
    }

    /**
     * Makes the images of a list ready that the node may keep, and removes all others that it has made ready.
     *
     * @throws IOException when the service or containerd cannot be reached; the present images stay
     */
    Kept keep(List<CatalogueImage> list) throws IOException, InterruptedException {
        Map<String, WantedImage> all = WantedImage.of(list);
        parts.delays().keep(all.keySet());
        List<NamespaceImages> namespaces = new ArrayList<>();
        for (String namespace : config.namespaces()) {
            namespaces.add(NamespaceImages.read(namespace, parts.images()));
        }
        delayRemoved(namespaces, all.keySet());
        CataloguePass pass = new CataloguePass(parts, namespaces);
        try {
            pass.makeReady(all.values().stream().limit(config.images()).toList(), config.bytes());
            removeOthers(namespaces, pass.kept());
        } finally {
            namespaces.forEach(namespace -> before.put(namespace.namespace(), namespace.ours()));
        }
        return pass.result(all.size());
    }

    /** Images that kubelet or an operator removes are not restored at once. */
    private void delayRemoved(List<NamespaceImages> namespaces, Set<String> wanted) {
        for (NamespaceImages namespace : namespaces) {
            for (String name : before.getOrDefault(namespace.namespace(), Set.of())) {
                if (wanted.contains(name) && !namespace.has(name)) {
                    parts.delays().put(name, CatalogueConfig.REMOVED, "it was removed from containerd");
                    parts.events()
                            .info(
                                    TOPIC,
                                    name + " was removed from containerd; it is put back after "
                                            + CatalogueConfig.REMOVED.toMinutes() + " minutes");
                }
            }
        }
    }

    /** Removes images that an earlier process with other settings kept in other namespaces. */
    void removeFromOtherNamespaces() throws IOException {
        List<NamespaceImages> elsewhere = new ArrayList<>();
        for (String namespace : parts.images().namespaces()) {
            if (config.images() == 0 || !config.namespaces().contains(namespace)) {
                elsewhere.add(NamespaceImages.read(namespace, parts.images()));
            }
        }
        removeOthers(elsewhere, Set.of());
    }

    private void removeOthers(List<NamespaceImages> namespaces, Set<String> kept) throws IOException {
        int removed = 0;
        for (NamespaceImages namespace : namespaces) {
            for (String name : namespace.ours()) {
                if (!kept.contains(name)) {
                    namespace.remove(name);
                    removed++;
                }
            }
        }
        if (removed > 0) {
            parts.events().info(TOPIC, "removed " + removed + " images from containerd that are not to be kept ready");
        }
    }
}
