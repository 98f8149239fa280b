package io.faasimage.gate.image;

import io.faasimage.format.erofs.ErofsView;
import io.faasimage.format.id.Digest;
import io.faasimage.gate.fetch.FetchOutcome;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Every root file system whose metadata image is on the node, read-only. Thread-safe. */
public final class ImageFiles {
    private final MetadataImages images;
    private final ObjectStore store;
    private final ObjectFetcher fetcher;

    /** Files of {@code images} with their contents in {@code store}, fetched when they are missing. */
    public ImageFiles(MetadataImages images, ObjectStore store, ObjectFetcher fetcher) {
        this.images = images;
        this.store = store;
        this.fetcher = fetcher;
    }

    /**
     * The entry at {@code path}.
     *
     * @param path absolute, one char per byte
     * @throws IOException when its image is not on this node (now), or damaged
     */
    public Place at(String path) throws IOException {
        if (path.equals("/")) {
            return new Place.Top();
        }
        Optional<ImagePath> parsed = ImagePath.parse(path);
        if (parsed.isEmpty()) {
            return new Place.Absent();
        }
        ErofsView image = images.get(parsed.get().image());
        ErofsView.Entry entry = image.root();
        String inside = parsed.get().inside();
        for (int start = 0; start < inside.length(); ) {
            int end = inside.indexOf('/', start);
            end = end < 0 ? inside.length() : end;
            Optional<ErofsView.Entry> next = image.find(entry, inside.substring(start, end));
            if (next.isEmpty()) {
                return new Place.Absent();
            }
            entry = next.get();
            start = end + 1;
        }
        return new Place.Inside(image, entry);
    }

    /**
     * Opens an object for reading; one that is missing is fetched and waited for.
     *
     * @throws IOException when it cannot be fetched; the fetcher has logged why
     */
    public FileChannel open(Digest content) throws IOException {
        try {
            return store.open(content);
        } catch (NoSuchFileException e) {
            return switch (fetcher.fetch(content)) {
                case FetchOutcome.Present() -> store.open(content);
                case FetchOutcome.Failed(String reason) -> throw new IOException(reason, e);
            };
        }
    }

    /** How many images are mapped now. */
    public int imagesMapped() {
        return images.count();
    }
}
