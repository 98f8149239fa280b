package io.faasimage.node.pull;

import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.pull.PullWorker.FirstAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * The answer that brought a plan, with objects still to come. The caller reads the documents before them, while the
 * pull of everything else has begun. Thread-safe.
 */
public final class PlanAnswer {
    private final BundleReader bundle;
    private final InputStream in;
    private final List<IndexRange> coming;
    private final LongSupplier received;
    private final CompletableFuture<Void> documents = new CompletableFuture<>();

    /**
     * An answer whose documents are not read yet: see {@link #documentsRead}.
     *
     * @param bundle the answer's frames
     * @param in the stream below {@code bundle}
     * @param coming indexes of the objects into the plan
     * @param received bytes of the objects that have come so far, as on the wire
     */
    public PlanAnswer(BundleReader bundle, InputStream in, List<IndexRange> coming, LongSupplier received) {
        this.bundle = bundle;
        this.in = in;
        this.coming = List.copyOf(coming);
        this.received = received;
    }

    /** The next frame is an object. */
    public void documentsRead() {
        documents.complete(null);
    }

    /** No object will come. */
    public void documentsFailed(Throwable reason) {
        documents.completeExceptionally(reason);
    }

    /** The answer as the work of a worker; claims the coming objects. */
    FirstAnswer first(WantedObjects wanted) {
        Progress progress = new Progress();
        return new FirstAnswer(
                new ObjectStream(bundle, in, this::await), wanted.claim(wanted.among(coming), progress), progress);
    }

    private void await() throws IOException {
        try {
            documents.get();
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IOException("the answer that brought the plan ended early: " + Events.reason(reason), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the documents of an answer were read");
        }
    }

    long received() {
        return received.getAsLong();
    }

    /** The objects are not wanted; the stream is closed as soon as its documents are read. */
    public void drop() {
        var _ = documents.whenComplete((_, _) -> {
            try {
                in.close();
            } catch (IOException e) {
                // A failure of a dropped answer does not matter.
                return;
            }
        });
    }
}
