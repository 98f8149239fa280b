package io.faasimage.node;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.node.containerd.image.ContentManifests;
import io.faasimage.node.containerd.image.ImageSources;
import io.faasimage.node.link.artifact.PlanFacts;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.plan.StoredPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The facts of containerd and of the stored plans, for plans beside images. Thread-safe. */
record NodeFacts(ImageSources sources, ContentManifests manifests, PlanStore plans, PlanTrust trust)
        implements PlanFacts {
    /** Each is searched for at its registry while a caller waits. */
    private static final int MOST_IMAGES = 4;

    @Override
    public List<ImageReference> references(Digest manifest) throws IOException {
        Optional<ImageReference> pulled = sources.pulled(manifest);
        return pulled.isPresent() ? List.of(pulled.get()) : sources.of(manifest);
    }

    @Override
    public Optional<Digest> imageOf(Digest plan) {
        return plans.all().stream()
                .filter(stored -> stored.digest().equals(plan))
                .map(StoredPlan::image)
                .findFirst();
    }

    @Override
    public List<Digest> imagesOf(ChainId chain) throws IOException {
        Optional<Digest> here = plans.find(chain)
                .filter(stored -> stored.top().chainId().equals(chain))
                .map(StoredPlan::image);
        return here.isPresent()
                ? List.of(here.get())
                : manifests.with(chain).stream().limit(MOST_IMAGES).toList();
    }

    @Override
    public Map<Digest, Digest> plansWith(Digest metadata) {
        return plans.all().stream()
                .filter(stored -> stored.layers().stream()
                        .anyMatch(layer -> layer.metadata().equals(metadata)))
                .collect(Collectors.toMap(StoredPlan::digest, StoredPlan::image));
    }

    @Override
    public Optional<Plan> load(Digest plan) throws IOException {
        return plans.loadIfHere(plan);
    }

    @Override
    public boolean isPinned(Digest key) {
        return trust.keys().filter(keys -> keys.has(key)).isPresent();
    }

    @Override
    public Optional<String> problem(Digest plan, Digest image, SignedDocument statement) {
        return trust.problem(plan, image, statement);
    }
}
