package io.faasimage.registry.sbom;

import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.tree.FileTree;
import io.faasimage.refactor.classify.Inventory;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.feedback.Feedback;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredContents;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.trace.TraceStore;
import java.io.IOException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * The maker of bills of materials, from an image's plan, its metadata image, the package databases in it, and its
 * trace. Thread-safe.
 */
@Service
class Sboms {
    private final ImageTable images;
    private final PlanFiles plans;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final TraceStore traces;
    private final Feedback feedback;
    private final Clock clock;
    /** One document at a time: the metadata image of a large image takes a lot of memory. */
    private final ReentrantLock making = new ReentrantLock();

    Sboms(
            ImageTable images,
            PlanFiles plans,
            ObjectTable objects,
            BlobStore blobs,
            TraceStore traces,
            Feedback feedback,
            Clock clock) {
        this.images = images;
        this.plans = plans;
        this.objects = objects;
        this.blobs = blobs;
        this.traces = traces;
        this.feedback = feedback;
        this.clock = clock;
    }

    /** The CycloneDX document of an image. */
    byte[] cycloneDx(Digest digest) {
        ImageRow image = images.find(digest)
                .orElseThrow(() -> ProblemException.notFound(
                        "no image " + digest + " is registered; GET /v1/images lists the registered ones"));
        Digest plan = image.plan()
                .orElseThrow(() -> ProblemException.notFound("image " + image.digest() + " has no plan, it is "
                        + image.state() + "; its packages are known after a first start of it was traced"));
        making.lock();
        try {
            return CycloneDx.document(materials(image, plan), version());
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemKind.STORAGE,
                    "the packages of image " + digest + " could not be read: " + e.getMessage()
                            + "; POST /v1/images/{digest}/refactor stores damaged objects again",
                    e);
        } finally {
            making.unlock();
        }
    }

    private Materials materials(ImageRow image, Digest digest) throws IOException {
        Plan plan = plans.plan(digest);
        StoredContents contents = new StoredContents(objects, blobs);
        FileTree tree = ErofsReader.read(contents.read(plan.layers().getLast().metadata()));
        Optional<Trace> trace = traces.find(image.topChain());
        TracedFiles traced = new TracedFiles(tree, trace);
        Inventory inventory = Inventory.of(tree, contents::read);
        Set<Digest> missed = new HashSet<>(feedback.missed(image.digest()));
        missed.removeAll(traced.contents());
        List<PackageReads> reads = inventory.packages().stream()
                .map(installed -> PackageReads.of(installed, tree, traced, missed))
                .toList();
        return new Materials(image, digest, trace, traced.count(), inventory, reads, clock.instant());
    }

    private static String version() {
        @Nullable String version = Sboms.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
