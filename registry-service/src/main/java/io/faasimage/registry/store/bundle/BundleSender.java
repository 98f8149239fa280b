package io.faasimage.registry.store.bundle;

import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.registry.platform.connection.BodyTarget;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.object.MappedFile;
import io.faasimage.registry.store.object.MappedFiles;
import io.faasimage.registry.store.object.RemoteFrames;
import io.faasimage.registry.store.object.RemoteFrames.Wanted;
import io.faasimage.registry.store.object.StoredObject;
import io.faasimage.registry.store.plan.PlanPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * A sender of bundles from the mapped packs: stored objects are neither decompressed nor copied into the heap. Objects
 * that are in no file of this machine come from the store of blobs while they are sent. Thread-safe.
 */
@Component
public class BundleSender {
    private static final Logger LOG = LoggerFactory.getLogger(BundleSender.class);

    private final BlobStore blobs;
    private final MappedFiles files;
    private final BundleStreams streams;
    private final LongAdder sent = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder broken = new LongAdder();

    BundleSender(BlobStore blobs, MappedFiles files, BundleStreams streams) {
        this.blobs = blobs;
        this.files = files;
        this.streams = streams;
    }

    /**
     * A bundle that can be sent: its files are mapped and stay as they are until then, whatever becomes of their names,
     * and the first object that is not in a file has been requested. Sent once.
     */
    public record Ready(Bundle bundle, Map<Blob, MappedFile> files, RemoteFrames remote, BundleStreams.Place place)
            implements AutoCloseable {
        public Ready {
            files = Map.copyOf(files);
        }

        private void write(StoredObject object, long offset, GatheredOutput out) throws IOException {
            MappedFile file = files.get(object.blob());
            if (file == null) {
                remote.copy(object, offset, out);
            } else {
                out.write(file, object.offset() + offset, object.storedLength() - offset);
            }
        }

        @Override
        public void close() {
            remote.close();
            place.close();
        }
    }

    /**
     * Maps all files that the bundle needs, and requests the objects that are only in the store.
     *
     * @throws ProblemException when one is missing or too short, or as many bundles as may be come from the store
     */
    Ready prepare(Bundle bundle) {
        List<Wanted> wanted = wanted(bundle);
        Map<Blob, Long> ends = new HashMap<>();
        wanted.forEach(frame -> ends.merge(frame.object().blob(), frame.object().end(), Math::max));
        Map<Blob, MappedFile> open = HashMap.newHashMap(ends.size());
        ends.forEach((blob, end) -> files.find(blob, end).ifPresent(file -> open.put(blob, file)));
        List<Wanted> elsewhere = wanted.stream()
                .filter(frame -> !open.containsKey(frame.object().blob()))
                .toList();
        BundleStreams.Place place = elsewhere.isEmpty() ? () -> {} : streams.enterRemote();
        try {
            return new Ready(bundle, open, RemoteFrames.open(blobs, elsewhere), place);
        } catch (RuntimeException e) {
            place.close();
            throw e;
        }
    }

    private static List<Wanted> wanted(Bundle bundle) {
        List<Wanted> wanted = new ArrayList<>(bundle.parts().size() + 1);
        bundle.layout()
                .filter(_ -> bundle.metadata() && bundle.deltas().isEmpty())
                .ifPresent(layout -> wanted.add(new Wanted(layout.metadata(), 0)));
        long offset = bundle.offset();
        for (PlanPart part : bundle.parts()) {
            wanted.add(new Wanted(part.stored(), offset));
            offset = 0;
        }
        return wanted;
    }

    /**
     * Sends the bundle.
     *
     * @throws IOException when the client is gone
     * @throws ProblemException when the store of blobs is gone
     */
    void send(Ready ready, BodyTarget target) throws IOException {
        try {
            write(ready, target);
        } catch (ProblemException e) {
            LOG.warn("a bundle ended early, its node continues with another: {}", e.getMessage());
            broken.increment();
            throw e;
        } catch (IOException | RuntimeException e) {
            broken.increment();
            throw e;
        }
        sent.increment();
        sentBytes.add(ready.bundle().length());
    }

    private static void write(Ready ready, BodyTarget target) throws IOException {
        Bundle bundle = ready.bundle();
        try (GatheredOutput out = new GatheredOutput(target)) {
            BundleWriter writer = new BundleWriter(out);
            sendDocuments(bundle, writer);
            if (bundle.metadata() && bundle.deltas().isPresent()) {
                writer.metadataDelta(bundle.deltas().get().metadata());
                out.flush();
                target.flush();
            } else if (bundle.metadata() && bundle.layout().isPresent()) {
                StoredObject metadata = bundle.layout().get().metadata();
                writer.metadataHeader(metadata.digest(), metadata.rawSize(), metadata.storedLength());
                ready.write(metadata, 0, out);
                out.flush();
                target.flush();
            }
            sendParts(ready, bundle, writer, out);
            writer.end();
            out.flush();
        }
    }

    /**
     * The bundles sent since the service began.
     *
     * @param bundles whole ones
     * @param bytes of these
     * @param broken that ended before they were whole
     */
    public record Counts(long bundles, long bytes, long broken) {}

    public Counts counts() {
        return new Counts(sent.sum(), sentBytes.sum(), broken.sum());
    }

    private static void sendDocuments(Bundle bundle, BundleWriter writer) throws IOException {
        if (bundle.chains().isPresent()) {
            writer.chains(bundle.chains().get());
        }
        if (bundle.plan() && bundle.deltas().isPresent()) {
            writer.planDelta(bundle.deltas().get().plan());
        } else if (bundle.plan() && bundle.layout().isPresent()) {
            writer.plan(bundle.layout().get().encoded());
        }
        if (bundle.selection().isPresent()) {
            writer.selected(bundle.selection().get());
        }
    }

    private static void sendParts(Ready ready, Bundle bundle, BundleWriter writer, GatheredOutput out)
            throws IOException {
        long offset = bundle.offset();
        for (PlanPart part : bundle.parts()) {
            StoredObject stored = part.stored();
            if (part.isWhole()) {
                writer.objectHeader(stored.digest(), stored.rawSize(), stored.storedLength(), offset);
            } else {
                writer.framesHeader(stored.digest(), part.firstFrame(), stored.storedLength());
            }
            ready.write(stored, offset, out);
            offset = 0;
        }
    }
}
