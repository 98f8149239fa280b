package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is fetching which object, over all pulls and look-ups of this process, so that no byte is fetched twice. Whoever
 * claims an object ends the claim; everybody else waits for that end. Thread-safe.
 */
final class Claims {
    private final ConcurrentHashMap<Digest, CompletableFuture<Boolean>> claimed = new ConcurrentHashMap<>();

    /**
     * Claims an object for the caller.
     *
     * @return empty when the caller has it now; else the end of the claim of another, true when the object is held then
     */
    Optional<CompletableFuture<Boolean>> claim(Digest digest) {
        return Optional.ofNullable(claimed.putIfAbsent(digest, new CompletableFuture<>()));
    }

    /** Whether somebody waits for the end of a claim under way. */
    boolean isAwaited(Digest digest) {
        @Nullable CompletableFuture<Boolean> claim = claimed.get(digest);
        return claim != null && claim.getNumberOfDependents() > 0;
    }

    /** Ends the caller's claim, and tells all who wait whether the object is held now. */
    void end(Digest digest, boolean held) {
        @Nullable CompletableFuture<Boolean> claim = claimed.remove(digest);
        if (claim != null) {
            claim.complete(held);
        }
    }
}
