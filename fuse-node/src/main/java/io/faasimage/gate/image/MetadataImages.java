package io.faasimage.gate.image;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.erofs.ErofsView;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The metadata images of a node, each mapped at the first request. At most a fixed number stay mapped; the least
 * recently requested ones beyond that are dropped, and mapped again when they are needed. Thread-safe.
 */
public final class MetadataImages {
    private final Path directory;
    private final Map<Digest, ErofsView> mapped;

    /**
     * Images in {@code directory}, named {@code <hex>.erofs}.
     *
     * @param most images that stay mapped
     */
    public MetadataImages(Path directory, int most) {
        this.directory = directory;
        this.mapped = BoundedMap.lastUsed(most);
    }

    /**
     * The image {@code digest}.
     *
     * @throws IOException when it is not on this node, or damaged
     */
    ErofsView get(Digest digest) throws IOException {
        synchronized (mapped) {
            ErofsView known = mapped.get(digest);
            if (known != null) {
                return known;
            }
            ErofsView view = ErofsView.map(directory.resolve(digest.hex() + ".erofs"));
            mapped.put(digest, view);
            return view;
        }
    }

    /** How many are mapped now. */
    public int count() {
        synchronized (mapped) {
            return mapped.size();
        }
    }
}
