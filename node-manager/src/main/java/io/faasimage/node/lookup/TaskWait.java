package io.faasimage.node.lookup;

import io.faasimage.node.event.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The wait for a task that fetches something from the service, for a limited time. */
final class TaskWait {
    private TaskWait() {}

    /**
     * Waits for a task's result, and cancels the task when the time is over.
     *
     * @throws IOException when the task failed or did not end in time; names {@code what}
     */
    static <T> T await(FutureTask<T> task, String what, Duration limit) throws IOException {
        String late = "the service did not deliver " + what + " within " + limit.toMillis() + " ms";
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new IOException(late, e);
        } catch (CancellationException e) {
            // Another one waited for the same answer, and longer.
            throw new IOException(late, e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw new IOException("could not get " + what + ": " + Events.reason(cause == null ? e : cause), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, e);
        }
    }
}
