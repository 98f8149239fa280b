package io.faasimage.gate.lookup;

import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.gate.fetch.FetchOutcome;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;

/**
 * The semantics of look-ups. Overlayfs searches its data layers in this order: the store's objects, {@code fetch}, the
 * store's late objects, {@code verdict}. So {@code fetch} always answers "not here", after it has put the object under
 * {@code late}; and {@code verdict}, which is reached only when that failed, answers "error", because the "no such
 * file" that the reader would get otherwise would be wrong. Thread-safe.
 */
public final class Gate {
    private static final Logger LOG = System.getLogger(Gate.class.getName());

    private final ObjectStore store;
    private final ObjectFetcher fetcher;
    private final LongAdder requests = new LongAdder();

    /** A gate that fetches into {@code store}. */
    public Gate(ObjectStore store, ObjectFetcher fetcher) {
        this.store = store;
        this.fetcher = fetcher;
    }

    /** Answers a look-up; a missing object is waited for. */
    public Answer lookup(GatePath path) {
        return switch (path) {
            case GatePath.Directory _ -> Answer.DIRECTORY;
            case GatePath.Unknown() -> Answer.ABSENT;
            case GatePath.Fetch(Digest digest) when digest.equals(ObjectOperations.WARM_UP) -> warmUp(digest);
            case GatePath.Fetch(Digest digest) -> {
                requests.increment();
                yield fetch(digest);
            }
            case GatePath.Verdict(Digest digest) -> {
                requests.increment();
                yield store.has(digest) ? Answer.ARRIVED : Answer.FAILED;
            }
        };
    }

    /** Look-ups of objects so far, in either directory. */
    public long requests() {
        return requests.sum();
    }

    /** A look-up without the fetch. */
    private Answer warmUp(Digest digest) {
        if (!store.has(digest)) {
            fetcher.warmUp(digest);
        }
        return Answer.ABSENT;
    }

    private Answer fetch(Digest digest) {
        try {
            if (store.makeLate(digest)) {
                return Answer.ABSENT;
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not link object " + digest + " into the late directory", e);
            return Answer.ABSENT;
        }
        // A failure was logged and counted where it happened; the verdict reports it to the reader.
        return switch (fetcher.fetch(digest)) {
            case FetchOutcome.Present() -> Answer.ABSENT;
            case FetchOutcome.Failed(String _) -> Answer.ABSENT;
        };
    }
}
