package io.faasimage.registry.bundle;

import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.registry.object.MappedFiles;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.problem.ProblemException;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Sends bundles from the mapped packs: what is stored is neither decompressed nor brought into the heap. Thread-safe. */
@Component
public class BundleSender {
    private final MappedFiles files;

    BundleSender(MappedFiles files) {
        this.files = files;
    }

    /** A bundle whose files are mapped: they stay as they are until it is sent, whatever becomes of their names. */
    public record Ready(Bundle bundle, Map<Path, MemorySegment> contents) {
        /** Copies the map. */
        public Ready {
            contents = Map.copyOf(contents);
        }

        private MemorySegment frame(StoredObject object, long offset) {
            return java.util.Objects.requireNonNull(contents.get(object.file()))
                    .asSlice(object.offset() + offset, object.storedLength() - offset);
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
        Map<Path, MemorySegment> contents = HashMap.newHashMap(ends.size());
        ends.forEach((file, end) -> contents.put(file, files.content(file, end)));
        return new Ready(bundle, contents);
    }

    /**
     * Sends the bundle.
     *
     * @throws IOException when the client is gone
     */
    public void send(Ready ready, ServletOutputStream target) throws IOException {
        Bundle bundle = ready.bundle();
        try (GatheredOutput out = new GatheredOutput(target::write)) {
            BundleWriter writer = new BundleWriter(out);
            sendDocuments(bundle, writer);
            if (bundle.metadata() && bundle.layout().isPresent()) {
                StoredObject metadata = bundle.layout().get().metadata();
                writer.metadataHeader(metadata.digest(), metadata.rawSize(), metadata.storedLength());
                out.write(ready.frame(metadata, 0));
                out.flush();
                target.flush();
            }
            sendObjects(ready, bundle.objects(), bundle.offset(), writer, out);
            writer.end();
            out.flush();
        }
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
            out.write(ready.frame(object, offset));
            offset = 0;
        }
    }
}
