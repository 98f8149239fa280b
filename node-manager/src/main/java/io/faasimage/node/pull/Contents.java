package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Objects whose whole content came from elsewhere than the service: into their packs, or as files. Thread-safe. */
public final class Contents {
    private final ObjectStore store;

    Contents(ObjectStore store) {
        this.store = store;
    }

    /** Verified content, which can be read more than once. */
    @FunctionalInterface
    public interface Content {
        /** A stream of it. */
        InputStream open() throws IOException;
    }

    /**
     * Whether nothing of the object is missing, in all packs that have a place for it.
     *
     * @param asFile whether it has to be a file, too; without a place it always has
     */
    public boolean has(Digest object, boolean asFile) {
        List<Packs.Place> places = places(object);
        return places.stream().allMatch(place -> place.pack().has(frames(place)))
                && ((!asFile && !places.isEmpty()) || store.hasFile(object));
    }

    /**
     * Keeps an object wherever it has a place.
     *
     * @param asFile whether it is to be a file in any case
     * @throws IOException when the disk is full or fails, or a pack cannot take it; everything else was kept
     */
    public void keep(Digest object, long size, Content content, boolean asFile) throws IOException {
        List<Packs.Place> places = places(object);
        List<IOException> failures = new ArrayList<>();
        for (Packs.Place place : places) {
            if (!place.pack().has(frames(place))) {
                try (InputStream in = content.open()) {
                    fill(place, size, in, failures);
                } catch (IOException e) {
                    failures.add(e);
                }
            }
        }
        if (asFile || places.isEmpty()) {
            try (InputStream in = content.open()) {
                var _ = store.publishBeside(object, size, in);
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }

    private List<Packs.Place> places(Digest object) {
        return store.packs().map(packs -> packs.places(object)).orElse(List.of());
    }

    private static IndexRange frames(Packs.Place place) {
        return place.pack().layout().framesOf(place.object());
    }

    private static void fill(Packs.Place place, long size, InputStream content, List<IOException> failures)
            throws IOException {
        Pack pack = place.pack();
        PackLayout layout = pack.layout();
        IndexRange frames = layout.framesOf(place.object());
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            long left = size - (long) (frame - frames.from()) * ObjectFrames.CONTENT_BYTES;
            int bytes = (int) Math.min(left, ObjectFrames.CONTENT_BYTES);
            byte[] part = content.readNBytes(bytes);
            if (part.length < bytes) {
                throw new EOFException("object " + layout.object(place.object()) + " ended early");
            }
            if (!pack.has(frame)) {
                try {
                    pack.fill(frame, part);
                } catch (IOException e) {
                    failures.add(e);
                }
            }
        }
    }

    /** A directory for content that is not verified yet; emptied when the agent starts. */
    public Path scratch() {
        return store.scratch();
    }
}
