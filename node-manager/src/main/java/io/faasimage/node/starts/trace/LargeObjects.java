package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.store.pack.Pack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A source of the large objects whose pages a trace observes. Thread-safe. */
public interface LargeObjects {
    /** Observes none. */
    LargeObjects NONE = new LargeObjects() {
        @Override
        public Set<Pack> of(ChainId chain) {
            return Set.of();
        }

        @Override
        public void mount(Pack pack, Path point) {
            throw new IllegalStateException("no pack is observed");
        }
    };

    /**
     * The packs with large objects that starts of an image read; none of an image without a plan here.
     *
     * @param chain the image's layers
     */
    Set<Pack> of(ChainId chain) throws IOException;

    /** Mounts a pack once more, at another point, where reads have a page cache of their own. */
    void mount(Pack pack, Path point) throws IOException;
}
