package io.faasimage.registry.bundle;

import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.registry.connection.BodyTarget;
import io.faasimage.registry.object.MappedFile;
import io.faasimage.registry.object.MappedFiles;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Sends bundles from the mapped packs: what is stored is neither decompressed nor brought into the heap. Thread-safe. */
@Component
public class BundleSender {
    private final MappedFiles files;
    private final LongAdder sent = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder broken = new LongAdder();

    BundleSender(MappedFiles files) {
        this.files = files;
    }

    /** A bundle whose files are mapped: they stay as they are until it is sent, whatever becomes of their names. */
    public record Ready(Bundle bundle, Map<Path, MappedFile> files) {
        /** Copies the map. */
        public Ready {
            files = Map.copyOf(files);
        }

        private void write(StoredObject object, long offset, GatheredOutput out) throws IOException {
            MappedFile file = java.util.Objects.requireNonNull(files.get(object.file()));
            out.write(file, object.offset() + offset, object.storedLength() - offset);
        }
    }

    /**
     * Maps all files that the bundle needs.
     *
     * @throws ProblemException when one is missing or too short
     */
    Ready prepare(Bundle bundle) {
        Map<Path, Long> ends = new HashMap<>();
        bundle.objects().forEach(object -> ends.merge(object.file(), object.end(), Math::max));
        bundle.layout()
                .filter(_ -> bundle.metadata())
                .map(PlanLayout::metadata)
                .ifPresent(metadata -> ends.merge(metadata.file(), metadata.end(), Math::max));
        Map<Path, MappedFile> open = HashMap.newHashMap(ends.size());
        ends.forEach((file, end) -> open.put(file, files.open(file, end)));
        return new Ready(bundle, open);
    }

    /**
     * Sends the bundle.
     *
     * @throws IOException when the client is gone
     */
    public void send(Ready ready, BodyTarget target) throws IOException {
        try {
            write(ready, target);
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
            if (bundle.metadata() && bundle.layout().isPresent()) {
                StoredObject metadata = bundle.layout().get().metadata();
                writer.metadataHeader(metadata.digest(), metadata.rawSize(), metadata.storedLength());
                ready.write(metadata, 0, out);
                out.flush();
                target.flush();
            }
            sendObjects(ready, bundle.objects(), bundle.offset(), writer, out);
            writer.end();
            out.flush();
        }
    }

    /**
     * What was sent since the service began.
     *
     * @param bundles whole ones
     * @param bytes of these
     * @param broken that ended before they were whole
     */
    public record Counts(long bundles, long bytes, long broken) {}

    /** The counts. */
    public Counts counts() {
        return new Counts(sent.sum(), sentBytes.sum(), broken.sum());
    }

    private static void sendDocuments(Bundle bundle, BundleWriter writer) throws IOException {
        if (bundle.chains().isPresent()) {
            writer.chains(bundle.chains().get());
        }
        if (bundle.plan() && bundle.layout().isPresent()) {
            writer.plan(bundle.layout().get().encoded());
        }
        if (bundle.selection().isPresent()) {
            writer.selected(bundle.selection().get());
        }
    }

    private static void sendObjects(
            Ready ready, List<StoredObject> objects, long firstOffset, BundleWriter writer, GatheredOutput out)
            throws IOException {
        long offset = firstOffset;
        for (StoredObject object : objects) {
            writer.objectHeader(object.digest(), object.rawSize(), object.storedLength(), offset);
            ready.write(object, offset, out);
            offset = 0;
        }
    }
}
