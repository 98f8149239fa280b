package io.faasimage.registry.child;

import io.faasimage.refactor.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A sender of a child's progress to the service: each new phase, and else ten times a second. Thread-safe. */
final class SentProgress implements ProgressListener {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServiceLink service;
    private @Nullable Phase last;
    private long next;

    SentProgress(ServiceLink service) {
        this.service = service;
    }

    @Override
    public void progress(Phase phase, long done, long total) {
        if (!isDue(phase)) {
            return;
        }
        try {
            service.tell(new ChildRequest.Progress(phase, done, total));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized boolean isDue(Phase phase) {
        long now = System.nanoTime();
        if (phase == last && now - next < 0) {
            return false;
        }
        last = phase;
        next = now + INTERVAL_NANOS;
        return true;
    }
}
