package io.faasimage.node.link.artifact;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.FormatException;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The search for the artifacts of an image: those that refer to its manifest, the newest first, until one has a plan
 * that may be used. What was found stands for some minutes. Thread-safe.
 */
final class Discovery {
    /** An attacker who may push must not make nodes read without end. */
    private static final int MOST_ARTIFACTS = 4;
    /** A plan, its metadata image and the layout, in memory. */
    private static final int MOST_HEAD_BYTES = 24 << 20;

    private static final int MOST_REMEMBERED = 64;
    private static final Duration FOUND_FOR = Duration.ofMinutes(10);
    private static final Duration NONE_FOR = Duration.ofSeconds(5);

    private final OciRegistry registry;
    private final PlanFacts facts;
    /** By plan, and the newest of an image by its manifest; guarded by itself. */
    private final Map<Digest, Outcome> outcomes = BoundedMap.lastUsed(MOST_REMEMBERED);

    /** The outcome of a search: a plan without its documents, none, or a failure. */
    private record Outcome(
            Optional<FoundPlan> plan, @Nullable IOException failure, long nanos) {
        boolean isFresh() {
            Duration age = plan.isPresent() ? FOUND_FOR : NONE_FOR;
            return System.nanoTime() - nanos < age.toNanos();
        }
    }

    Discovery(OciRegistry registry, PlanFacts facts) {
        this.registry = registry;
        this.facts = facts;
    }

    /**
     * The plan of an image.
     *
     * @param plan the one that is wanted; empty for the newest
     * @param withHead whether its documents are wanted
     */
    Optional<FoundPlan> find(Digest image, Optional<Digest> plan, boolean withHead) throws IOException {
        Digest key = plan.orElse(image);
        @Nullable Outcome before = before(key);
        if (before != null && before.isFresh()) {
            if (before.failure() != null) {
                throw new IOException(before.failure().getMessage(), before.failure());
            }
            if (before.plan().isEmpty() || !withHead) {
                return before.plan();
            }
        }
        try {
            Optional<FoundPlan> found = search(image, plan);
            Optional<FoundPlan> kept = found.map(FoundPlan::withoutHead);
            remember(key, kept, null);
            kept.ifPresent(it -> remember(it.plan(), kept, null));
            return found;
        } catch (IOException e) {
            remember(key, Optional.empty(), e);
            throw e;
        }
    }

    private @Nullable Outcome before(Digest key) {
        synchronized (outcomes) {
            return outcomes.get(key);
        }
    }

    private void remember(Digest key, Optional<FoundPlan> plan, @Nullable IOException failure) {
        synchronized (outcomes) {
            outcomes.put(key, new Outcome(plan, failure, System.nanoTime()));
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
        List<Referrer> newestFirst = referrers.list().stream()
                .filter(one -> plan.isEmpty()
                        || plan.get().toString().equals(one.annotations().get(ArtifactTypes.PLAN_ANNOTATION)))
                .sorted(Comparator.comparing(Discovery::created).reversed())
                .limit(MOST_ARTIFACTS)
                .toList();
        @Nullable IOException failure = null;
        int requests = referrers.requests();
        for (Referrer referrer : newestFirst) {
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

    private static String created(Referrer referrer) {
        return referrer.annotations().getOrDefault(ArtifactTypes.CREATED_ANNOTATION, "");
    }

    private FoundPlan read(ImageReference reference, Digest image, Referrer referrer, String way) throws IOException {
        BlobName name = BlobName.parse(referrer.annotations().getOrDefault(ArtifactTypes.HEAD_ANNOTATION, ""))
                .orElseThrow(() -> new IOException("artifact " + referrer.manifest() + " does not name its head"));
        if (name.size() > MOST_HEAD_BYTES) {
            throw new IOException("its head has " + name.size() + " bytes, the limit is " + MOST_HEAD_BYTES);
        }
        ArtifactHead head = ArtifactHead.decode(registry.blob(reference, name.digest(), (int) name.size()));
        Plan plan = PlanCodec.decode(head.plan());
        Digest digest = Digest.of(head.plan());
        if (!plan.image().equals(image)) {
            throw FormatException.corrupt("artifact " + referrer.manifest() + " is of image " + plan.image());
        }
        Optional<String> problem = facts.problem(digest, image, plan.topChain(), head.statement());
        if (problem.isPresent()) {
            throw new IOException("plan " + digest + " is refused: " + problem.get());
        }
        return new FoundPlan(
                digest, reference, head.statement(), head.predicted(), head.prefixes(), head.packs(), way, head);
    }
}
