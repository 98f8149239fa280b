package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A pull that is under way or over. Thread-safe. */
public final class Pull {
    private final PullRun run;
    private final CompletableFuture<PullReport> done;

    Pull(PullRun run, CompletableFuture<PullReport> done) {
        this.run = run;
        this.done = done;
    }

    /**
     * How far a pull is.
     *
     * @param objects to be fetched by this pull; 0 before it has looked
     * @param published of these
     * @param wireBytes received, compressed
     */
    public record Progress(int objects, int published, long wireBytes) {}

    /** The plan's digest. */
    public Digest plan() {
        return run.plan();
    }

    /** Which objects of the plan. */
    public Part part() {
        return run.part();
    }

    /** Whether the service turned out not to know the plan any more. */
    public boolean isForgotten() {
        return run.isForgotten();
    }

    /** Whether a bug ended it without a report. */
    public boolean isBroken() {
        return done.isCompletedExceptionally();
    }

    /** Whether the pull brings the object. */
    boolean brings(Digest object) {
        return run.wants(object);
    }

    /** How far it is. */
    public Progress progress() {
        return run.progress();
    }

    /** Ends with a report in every case, also when objects could not be fetched. */
    public CompletableFuture<PullReport> done() {
        return done.copy();
    }

    /** Calls {@code action} with the report when the pull ends, at once when it has ended. */
    public void whenDone(Consumer<PullReport> action) {
        var _ = done.thenAccept(action);
    }
}
