package io.faasimage.registry.images.prediction;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredFrames;
import io.faasimage.registry.store.object.StoredObject;
import io.faasimage.registry.store.plan.PlanFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A reader of the metadata images of planned images. Thread-safe. */
@Component
class PlannedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PlannedFiles.class);
    /** Some 300,000 files; a larger tree would take the memory that the job needs. */
    private static final long MAX_BYTES = 64 << 20;

    private final PlanFiles plans;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final StoredFrames frames;

    PlannedFiles(PlanFiles plans, ObjectTable objects, BlobStore blobs) {
        this.plans = plans;
        this.objects = objects;
        this.blobs = blobs;
        this.frames = new StoredFrames(blobs, _ -> {});
    }

    /** Writes the metadata image of a plan's whole image; false, with a line in the log, when it cannot be read. */
    boolean write(Digest plan, Path target) throws IOException {
        try {
            Digest metadata = plans.plan(plan).layers().getLast().metadata();
            Optional<StoredObject> stored = objects.metadata(metadata)
                    .filter(object -> object.rawSize() <= MAX_BYTES)
                    .filter(object -> StoredFrames.isThere(blobs, object));
            if (stored.isEmpty()) {
                LOG.info("the files of plan {} are not there or too many: files that moved since are not found", plan);
                return false;
            }
            try (OutputStream image = Files.newOutputStream(target)) {
                frames.copyRaw(stored.get(), 0, stored.get().rawSize(), image);
            }
            return true;
        } catch (ProblemException | IOException e) {
            LOG.warn("the files of plan {} cannot be read: files that moved since are not found", plan, e);
            Files.deleteIfExists(target);
            return false;
        }
    }
}
