package io.faasimage.node.link.artifact;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.format.FormatException;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The search for the artifacts of an image: those that refer to its manifest, of pinned keys first and the newest of
 * these, until one has a plan that may be used. Nothing but the statement of a head is read before that is verified.
 * The outcome stands for a while. Thread-safe; bounded in time, and one search for an image at a time.
 */
final class Discovery {
    /** An attacker who may push must not make nodes read without end. */
    private static final int MOST_ARTIFACTS = 4;
    /** Of all heads in memory; decoded, each takes some times its bytes. */
    private static final int MOST_MEBIBYTES = ArtifactHead.MAX_BYTES >> 20;

    private static final int MOST_REMEMBERED = 256;
    private static final Duration FOUND_FOR = Duration.ofMinutes(10);
    private static final Duration NONE_FOR = Duration.ofSeconds(5);
    /** So long a registry that does not answer, or a damaged artifact, does not hold up the layers of a pull again. */
    private static final Duration FAILED_FOR = Duration.ofSeconds(30);
    /** Less than what look-ups wait, so that the reason is known. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final OciRegistry registry;
    private final PlanFacts facts;
    private final Semaphore heads = new Semaphore(MOST_MEBIBYTES, true);
    private final Map<Digest, Object> searched = new ConcurrentHashMap<>();
    /** By plan, and the best of an image by its manifest; guarded by itself. */
    private final Map<Digest, Outcome> outcomes = BoundedMap.lastUsed(MOST_REMEMBERED);

    /** The outcome of a search: a plan without its documents, none, or a failure. */
    private record Outcome(
            Optional<FoundPlan> plan, @Nullable IOException failure, Duration life, long nanos) {
        static Outcome of(Optional<FoundPlan> plan) {
            Duration life = plan.isPresent() ? FOUND_FOR : NONE_FOR;
            return new Outcome(plan.map(FoundPlan::withoutDocuments), null, life, System.nanoTime());
        }

        static Outcome failed(IOException failure) {
            return new Outcome(Optional.empty(), failure, FAILED_FOR, System.nanoTime());
        }

        /** Of a plan whose packs have gone. */
        static Outcome gone() {
            return new Outcome(Optional.empty(), null, FOUND_FOR, System.nanoTime());
        }

        boolean isGone() {
            return isFresh() && plan.isEmpty() && failure == null && life.equals(FOUND_FOR);
        }

        boolean isFresh() {
            return System.nanoTime() - nanos < life.toNanos();
        }

        Optional<FoundPlan> get() throws IOException {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            return plan;
        }
    }

    Discovery(OciRegistry registry, PlanFacts facts) {
        this.registry = registry;
        this.facts = facts;
    }

    /**
     * The plan of an image.
     *
     * @param plan the one that is wanted; empty for the best
     * @param withHead whether its documents are wanted
     */
    Optional<FoundPlan> find(Digest image, Optional<Digest> plan, boolean withHead) throws IOException {
        Digest key = plan.orElse(image);
        Object turn = searched.computeIfAbsent(key, _ -> new Object());
        try {
            synchronized (turn) {
                @Nullable Outcome before = fresh(key);
                return before != null && (before.plan().isEmpty() || !withHead)
                        ? before.get()
                        : searched(key, image, plan);
            }
        } finally {
            searched.remove(key, turn);
        }
    }

    private @Nullable Outcome fresh(Digest key) {
        synchronized (outcomes) {
            @Nullable Outcome before = outcomes.get(key);
            return before != null && before.isFresh() ? before : null;
        }
    }

    private Optional<FoundPlan> searched(Digest key, Digest image, Optional<Digest> plan) throws IOException {
        try {
            Optional<FoundPlan> found = TimedCall.run("artifacts", LIMIT, () -> search(image, plan));
            remember(key, Outcome.of(found));
            found.ifPresent(it -> remember(it.plan(), Outcome.of(found)));
            return found;
        } catch (InterruptedIOException e) {
            // Nobody waits any more, which says nothing about the registry.
            throw e;
        } catch (IOException e) {
            remember(key, Outcome.failed(e));
            throw e;
        }
    }

    private void remember(Digest key, Outcome outcome) {
        synchronized (outcomes) {
            outcomes.put(key, outcome);
        }
    }

    /** The packs of a plan are not there any more; another artifact of its image may be whole. */
    void forget(Digest plan) {
        synchronized (outcomes) {
            outcomes.put(plan, Outcome.gone());
            outcomes.values()
                    .removeIf(outcome -> outcome.plan()
                            .filter(found -> found.plan().equals(plan))
                            .isPresent());
        }
    }

    private boolean isGone(Referrer referrer) {
        String plan = referrer.annotations().getOrDefault(ArtifactTypes.PLAN_ANNOTATION, "");
        synchronized (outcomes) {
            return outcomes.entrySet().stream()
                    .anyMatch(entry -> entry.getKey().toString().equals(plan)
                            && entry.getValue().isGone());
        }
    }

    private Optional<FoundPlan> search(Digest image, Optional<Digest> plan) throws IOException {
        @Nullable IOException failure = null;
        for (ImageReference reference : facts.references(image)) {
            try {
                Optional<FoundPlan> found = search(reference.at(image), image, plan);
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    private Optional<FoundPlan> search(ImageReference reference, Digest image, Optional<Digest> plan)
            throws IOException {
        Referrers referrers = registry.referrers(reference, ArtifactTypes.ARTIFACT);
        List<Referrer> best = referrers.list().stream()
                .filter(one -> one.annotations().containsKey(ArtifactTypes.HEAD_ANNOTATION) && !isGone(one))
                .filter(one -> plan.isEmpty()
                        || plan.get().toString().equals(one.annotations().get(ArtifactTypes.PLAN_ANNOTATION)))
                .sorted(Comparator.comparing((Referrer one) -> !isPinned(one))
                        .thenComparing(Comparator.comparing((Referrer one) -> ArtifactTypes.created(one.annotations()))
                                .reversed()))
                .limit(MOST_ARTIFACTS)
                .toList();
        @Nullable IOException failure = null;
        int requests = referrers.requests();
        for (Referrer referrer : best) {
            requests++;
            String way = "referrers by " + (referrers.byTag() ? "tag" : "API") + ", " + requests + " requests";
            try {
                return Optional.of(read(reference, image, referrer, way));
            } catch (IOException e) {
                failure = new IOException(
                        "the plan beside the image " + reference + " is not used: " + e.getMessage(), e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    /** A hint: the statement decides. */
    private boolean isPinned(Referrer referrer) {
        try {
            return facts.isPinned(Digest.parse(referrer.annotations().getOrDefault(ArtifactTypes.KEY_ANNOTATION, "")));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private FoundPlan read(ImageReference reference, Digest image, Referrer referrer, String way) throws IOException {
        BlobName name = BlobName.parse(referrer.annotations().getOrDefault(ArtifactTypes.HEAD_ANNOTATION, ""))
                .orElseThrow(() -> new IOException("artifact " + referrer.manifest() + " does not name its head"));
        if (name.size() > ArtifactHead.MAX_BYTES) {
            throw new IOException("its head has " + name.size() + " bytes, the limit is " + ArtifactHead.MAX_BYTES);
        }
        int mebibytes = (int) (name.size() >> 20) + 1;
        try {
            heads.acquire(Math.min(mebibytes, MOST_MEBIBYTES));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
        try {
            byte[] bytes = registry.blob(reference, name.digest(), (int) name.size());
            ArtifactHead.Claim claim = ArtifactHead.claim(bytes);
            Optional<String> problem = facts.problem(claim.plan(), image, claim.statement());
            if (problem.isPresent()) {
                throw new IOException("plan " + claim.plan() + " is refused: " + problem.get());
            }
            return found(reference, image, ArtifactHead.decode(bytes), claim.plan(), way);
        } finally {
            heads.release(Math.min(mebibytes, MOST_MEBIBYTES));
        }
    }

    private static FoundPlan found(ImageReference reference, Digest image, ArtifactHead head, Digest digest, String way)
            throws FormatException {
        Plan plan = PlanCodec.decode(head.plan());
        if (!plan.image().equals(image)) {
            throw FormatException.corrupt("the plan beside image " + reference + " is of image " + plan.image());
        }
        int frames = new PlanNumbers(plan).frames();
        if (head.packs().stream().flatMap(pack -> pack.runs().stream()).anyMatch(run -> run.to() > frames)) {
            throw FormatException.corrupt("the layout beside image " + reference + " is of another plan");
        }
        return new FoundPlan(
                digest,
                reference,
                head.statement(),
                head.predicted(),
                head.prefixes(),
                head.packs(),
                way,
                new FoundPlan.Documents(head, plan));
    }
}
