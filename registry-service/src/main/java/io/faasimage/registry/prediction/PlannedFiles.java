package io.faasimage.registry.prediction;

import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredFrames;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A reader of the file trees of planned images from their metadata images. Thread-safe. */
@Component
class PlannedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PlannedFiles.class);
    /** Some 300,000 files; a larger tree would take the heap that jobs need. */
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

    /** The files of a plan's image; empty, with a line in the log, when they cannot be read. */
    Optional<FileTree> of(Digest plan) {
        try {
            Digest metadata = plans.plan(plan).layers().getLast().metadata();
            Optional<StoredObject> stored = objects.metadata(metadata)
                    .filter(object -> object.rawSize() <= MAX_BYTES)
                    .filter(object -> StoredFrames.isThere(blobs, object));
            if (stored.isEmpty()) {
                LOG.info("the files of plan {} are not there or too many: what moved since is not found", plan);
                return Optional.empty();
            }
            ByteArrayOutputStream image = new ByteArrayOutputStream();
            frames.copyRaw(stored.get(), 0, stored.get().rawSize(), image);
            return Optional.of(ErofsReader.read(image.toByteArray()));
        } catch (ProblemException | IOException e) {
            LOG.warn("the files of plan {} cannot be read: what moved since is not found", plan, e);
            return Optional.empty();
        }
    }
}
