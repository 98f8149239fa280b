package io.faasimage.node.plans.lookup;

import io.faasimage.api.client.BundleStream;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Selection;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.node.plans.plan.PlanSettings;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.PlanAnswer;
import io.faasimage.node.pull.Pulls;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the answer to a request for a plan: it reads up to the first object, and stores plan and metadata image.
 * For one thread, except the result of {@link #objects}.
 */
final class AnswerReader {
    private static final int BUFFER_BYTES = 64 << 10;
    /** Some 400,000 objects; decoded, a plan takes four times as much memory. */
    private static final int MOST_PLAN_BYTES = 16 << 20;

    private final PlanStore plans;
    private final PlanSettings settings;
    private final Optional<SignedDocument> statement;
    private final AtomicLong received = new AtomicLong();
    private final InputStream in;
    private final BundleReader bundle;
    private @Nullable StoredPlan plan;
    private @Nullable Selection coming;
    private List<ChainId> chains = List.of();
    private volatile long documents;
    private @Nullable PlanAnswer objects;

    /** Begins; the stream is closed when that fails. */
    AnswerReader(Pulls pulls, PlanStore plans, BundleStream stream) throws IOException {
        this.plans = plans;
        this.settings = new PlanSettings(stream.start(), stream.fill(), stream.predicted());
        this.statement = stream.statement();
        this.in = new BufferedInputStream(pulls.guarded(stream.body(), received::addAndGet), BUFFER_BYTES);
        try {
            this.bundle = new BundleReader(in, MOST_PLAN_BYTES);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Reads until the plan is here and it is known which objects come, or to the end. */
    void readPlan() throws IOException {
        boolean more = true;
        while (more && (plan == null || coming == null)) {
            more = takeNext();
        }
    }

    private boolean takeNext() throws IOException {
        Optional<Frame> frame = bundle.next();
        if (frame.isPresent()) {
            take(frame.get());
        }
        return frame.isPresent();
    }

    /** Reads until only objects are left, or the end. */
    void readDocuments() throws IOException {
        boolean more = true;
        while (more && !isAtObjects()) {
            more = takeNext();
        }
        documents = received.get();
        StoredPlan read = plan;
        if (read != null && !plans.images().has(read.top().metadata())) {
            throw new IOException("the service's answer has no metadata image");
        }
        PlanAnswer given = objects;
        if (given == null) {
            in.close();
        } else {
            given.documentsRead();
        }
    }

    private boolean isAtObjects() {
        StoredPlan read = plan;
        Selection selected = coming;
        return read != null
                && selected != null
                && selected.size() > 0
                && plans.images().has(read.top().metadata());
    }

    private void take(Frame frame) throws IOException {
        switch (frame) {
            case Frame.PlanFrame f -> takePlan(f.encoded());
            case Frame.PlanDeltaFrame f ->
                takePlan(f.delta().apply(plans.encoded(f.delta().base())));
            case Frame.MetadataFrame f -> takeMetadata(f.digest(), f.payload(), true);
            case Frame.MetadataDeltaFrame f ->
                takeMetadata(
                        f.delta().digest(),
                        new ByteArrayInputStream(
                                f.delta().apply(plans.images().read(f.delta().base()))),
                        false);
            case Frame.SelectedFrame f -> coming = f.selection();
            case Frame.ChainsFrame f -> chains = f.chains();
            case Frame.ErrorFrame f -> throw new IOException("the service failed: " + f.message());
            case Frame.ObjectFrame f ->
                throw new IOException("the service sent object " + f.digest() + " without announcing it");
            case Frame.FramesFrame f ->
                throw new IOException("the service sent frames of " + f.digest() + " without announcing them");
            case Frame.EndFrame _ -> {}
        }
    }

    private void takePlan(byte[] encoded) throws IOException {
        StoredPlan stored = plans.save(encoded, statement);
        plans.settings().save(stored.digest(), settings);
        plan = stored;
    }

    private void takeMetadata(Digest digest, InputStream content, boolean zstd) throws IOException {
        StoredPlan read = plan;
        if (read == null || !read.top().metadata().equals(digest)) {
            throw new IOException("the service sent a metadata image that is not the plan's: " + digest);
        }
        if (!plans.images().has(digest)) {
            plans.images().save(digest, read.top().metadataSize(), content, zstd);
        }
    }

    Optional<StoredPlan> plan() {
        return Optional.ofNullable(plan);
    }

    List<ChainId> chains() {
        return chains;
    }

    /** Bytes received up to the first object. */
    long received() {
        return documents;
    }

    /**
     * The objects that are still to come, after {@link #readPlan}; the caller that takes them closes the stream. They
     * can be read when the documents have been.
     */
    Optional<PlanAnswer> objects() {
        Selection selected = coming;
        if (selected == null || selected.size() == 0) {
            return Optional.empty();
        }
        PlanAnswer answer = new PlanAnswer(bundle, in, selected.ranges(), () -> received.get() - documents);
        objects = answer;
        return Optional.of(answer);
    }

    /** Nothing more is read. */
    void fail(Throwable reason) throws IOException {
        if (objects != null) {
            objects.documentsFailed(reason);
        }
        in.close();
    }
}
