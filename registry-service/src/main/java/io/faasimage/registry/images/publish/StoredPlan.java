package io.faasimage.registry.images.publish;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.artifact.StoredFrames;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan's frames and metadata images in the store of this service. For one thread. */
final class StoredPlan implements StoredFrames {
    private final BlobStore blobs;
    private final ObjectTable objects;
    private final Plan plan;
    private final Map<Digest, ObjectFrames> frames = new HashMap<>();
    private final Map<Digest, StoredObject> places;

    StoredPlan(BlobStore blobs, ObjectTable objects, Plan plan) {
        this.blobs = blobs;
        this.objects = objects;
        this.plan = plan;
        for (int i = 0; i < plan.startupCount(); i++) {
            frames.put(plan.objects().get(i).digest(), plan.prefetch().get(i).frames());
        }
        this.places = objects.find(frames.keySet());
    }

    @Override
    public void copy(Digest object, IndexRange range, OutputStream out) throws IOException {
        @Nullable ObjectFrames of = frames.get(object);
        @Nullable StoredObject place = places.get(object);
        if (of == null || place == null || place.storedLength() != of.storedSize()) {
            throw new IOException("object " + object + " is not stored as its plan says");
        }
        long from = of.offset(range.from());
        copy(place, from, of.end(range.to() - 1) - from, out);
    }

    private void copy(StoredObject object, long offset, long length, OutputStream out) throws IOException {
        try (InputStream in = blobs.read(object.blob(), object.offset() + offset, length)) {
            if (in.transferTo(out) != length) {
                throw new IOException("file " + object.blob().name() + " is shorter than it was");
            }
        }
    }

    /** Copies the metadata images of all layers into files of a directory. */
    List<MetadataImage> metadata(Path directory) throws IOException {
        List<MetadataImage> images = new ArrayList<>();
        for (Digest digest :
                plan.layers().stream().map(PlanLayer::metadata).distinct().toList()) {
            Optional<StoredObject> stored = objects.metadata(digest);
            if (stored.isEmpty()) {
                throw new IOException("metadata image " + digest + " is not stored any more");
            }
            StoredObject object = stored.get();
            Path file = directory.resolve(digest.hex());
            try (OutputStream out = Files.newOutputStream(file)) {
                copy(object, 0, object.storedLength(), out);
            }
            images.add(new MetadataImage(digest, object.rawSize(), file, object.storedLength()));
        }
        return images;
    }
}
