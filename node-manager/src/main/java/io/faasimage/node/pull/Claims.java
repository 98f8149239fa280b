package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Fetches under way by object, over all pulls and look-ups of this process, so that no byte is fetched twice. The
 * caller that claims an object ends the claim; other callers wait for that. Thread-safe.
 */
final class Claims {
    private final ConcurrentHashMap<Digest, Claim> claimed = new ConcurrentHashMap<>();

    /**
     * A fetch under way.
     *
     * @param end completes when the fetch ends, with whether the object is in the store
     * @param progress bytes received so far
     */
    record Claim(CompletableFuture<Boolean> end, Progress progress) {}

    /**
     * Claims an object for the caller.
     *
     * @return empty when the caller has it now; else the claim of another
     */
    Optional<Claim> claim(Digest digest, Progress progress) {
        return Optional.ofNullable(claimed.putIfAbsent(digest, new Claim(new CompletableFuture<>(), progress)));
    }

    /** The claim under way; empty when the object is not being fetched. */
    Optional<Claim> find(Digest digest) {
        return Optional.ofNullable(claimed.get(digest));
    }

    /** Whether another caller waits for the end of the claim. */
    boolean isAwaited(Digest digest) {
        return find(digest)
                .filter(claim -> claim.end().getNumberOfDependents() > 0)
                .isPresent();
    }

    /** Ends the caller's claim, and notifies all waiters whether the object is present now. */
    void end(Digest digest, boolean held) {
        @Nullable Claim claim = claimed.remove(digest);
        if (claim != null) {
            claim.end().complete(held);
        }
    }
}
