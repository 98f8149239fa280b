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
 * The semantics of look-ups. Overlayfs asks its data layers one after the other: the store's objects, {@code fetch},
 * the store's late objects, {@code verdict}. So {@code fetch} says "not here" in any case, after the object was put
 * under {@code late}; and {@code verdict}, which is reached only when that did not happen, says "error", because the
 * "no such file" that the reader would get otherwise would be a lie. Thread-safe.
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
            case GatePath.PartialFile _, GatePath.Unknown() -> Answer.ABSENT;
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

    /** What a look-up does, as far as it fetches nothing. */
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
        // A failure is logged and counted where it happened; the verdict tells the reader.
        return switch (fetcher.fetch(digest)) {
            case FetchOutcome.Held() -> Answer.ABSENT;
            case FetchOutcome.Failed(String _) -> Answer.ABSENT;
        };
    }
}
