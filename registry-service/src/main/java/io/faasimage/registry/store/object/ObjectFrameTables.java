package io.faasimage.registry.store.object;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackReader;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The frames of stored objects, from the indexes of the packs that they lie in; those that were read last are kept. The
 * objects of a pack that cannot be read are forgotten, so that the next refactoring packs them again. Thread-safe.
 */
@Component
public class ObjectFrameTables {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectFrameTables.class);

    /** Frames of all indexes that are kept, with about 100 bytes each. */
    private static final int MOST_FRAMES = 200_000;

    private final ObjectTable objects;
    private final BlobStore blobs;
    private final Cache<Pack, Map<Digest, ObjectFrames>> recent = Caffeine.newBuilder()
            .maximumWeight(MOST_FRAMES)
            .weigher((Pack pack, Map<Digest, ObjectFrames> index) -> Math.min(
                    MOST_FRAMES,
                    index.values().stream().mapToInt(ObjectFrames::count).sum()))
            .build();

    /** A pack as it is now: one that was cut is read again. */
    private record Pack(Blob blob, long size) {}

    ObjectFrameTables(ObjectTable objects, BlobStore blobs) {
        this.objects = objects;
        this.blobs = blobs;
    }

    /**
     * The frames of those of the objects that are stored.
     *
     * @throws BlobsDownException when the store of packs is down
     */
    public Map<Digest, ObjectFrames> of(Collection<Digest> wanted) throws BlobsDownException {
        Map<Blob, List<StoredObject>> packs =
                objects.find(wanted).values().stream().collect(Collectors.groupingBy(StoredObject::blob));
        Map<Digest, ObjectFrames> frames = HashMap.newHashMap(wanted.size());
        for (Map.Entry<Blob, List<StoredObject>> pack : packs.entrySet()) {
            try {
                Map<Digest, ObjectFrames> index = index(new Pack(pack.getKey(), blobs.size(pack.getKey())));
                for (StoredObject object : pack.getValue()) {
                    Optional.ofNullable(index.get(object.digest()))
                            .filter(found -> found.storedSize() == object.storedLength())
                            .ifPresentOrElse(found -> frames.put(object.digest(), found), () -> objects.forget(object));
                }
            } catch (BlobsDownException e) {
                throw e;
            } catch (IOException e) {
                LOG.error("the index of pack {} cannot be read", pack.getKey(), e);
                pack.getValue().forEach(objects::forget);
            }
        }
        return frames;
    }

    private Map<Digest, ObjectFrames> index(Pack pack) throws IOException {
        Map<Digest, ObjectFrames> known = recent.getIfPresent(pack);
        if (known != null) {
            return known;
        }
        Map<Digest, ObjectFrames> read = new HashMap<>();
        for (PackEntry entry : PackReader.index(pack.size, (at, length) -> read(pack.blob, at, length))) {
            read.put(entry.digest(), entry.frames());
        }
        recent.put(pack, read);
        return read;
    }

    private byte[] read(Blob blob, long offset, int length) throws IOException {
        try (InputStream in = blobs.read(blob, offset, length)) {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException(blob + " is shorter than it was");
            }
            return bytes;
        }
    }
}
