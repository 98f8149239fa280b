package io.faasimage.node.plans.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The plans on the local disk, with an index from chain ID to plan that is rebuilt from there at the start. Every plan
 * is verified before it is published, and again when it is read; see {@link PlanTrust} for its signature. Thread-safe.
 *
 * <p>Layout below the root: {@code plans/<hex>} an encoded plan, {@code plans/<hex>.settings} the settings that its
 * functions request, {@code plans/<hex>.statement} its signature, {@code plans/<hex>.uses} and {@code plans/hours} when
 * it was used, the {@linkplain PlanStates states}, {@code metadata/} the {@linkplain MetadataImages metadata images},
 * and {@code plans/boot} the boot in which all of these were written or verified.
 */
public final class PlanStore {
    private static final String TOPIC = "plan";

    private final Path plans;
    private final InstantSource clock;
    private final PlanTrust trust;
    private final PlanIndex index = new PlanIndex();
    private final StatementFiles statements;

    private final Events events;
    private final SettingsFiles settings;
    private final PlanUses uses;
    private final PlanStates states;
    private final MetadataImages images;
    private final DecodedPlans decoded;

    private PlanStore(Path plans, MetadataImages images, PlanTrust trust, Events events, InstantSource clock) {
        this.trust = trust;
        this.statements = new StatementFiles(plans);
        this.settings = new SettingsFiles(plans, events);
        this.events = events;
        this.plans = plans;
        this.decoded = new DecodedPlans(plans);
        this.clock = clock;
        this.uses = new PlanUses(plans, events);
        this.states = new PlanStates(plans, uses, events);
        this.images = images;
    }

    /**
     * Opens the store below {@code root} and reads its index; damaged plans are removed with an event.
     *
     * @param trust that decides which plans may be used
     * @throws IOException when the directories cannot be made or listed
     */
    public static PlanStore open(Path root, PlanTrust trust, Events events, InstantSource clock) throws IOException {
        Path plans = Files.createDirectories(root.resolve("plans"));
        AtomicFile.sweep(plans);
        MetadataImages images = MetadataImages.open(root.resolve("metadata"), plans.resolve("boot"), events);
        PlanStore store = new PlanStore(plans, images, trust, events, clock);
        store.readIndex();
        store.reportRefused();
        store.states.load();
        store.uses.load();
        return store;
    }

    private void readIndex() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(plans)) {
            for (Path file : files) {
                Optional<Digest> digest = digestOf(String.valueOf(file.getFileName()));
                if (digest.isPresent()) {
                    readIndexed(file, digest.get());
                }
            }
        }
    }

    private void readIndexed(Path file, Digest digest) throws IOException {
        try {
            Plan plan = decoded.read(digest);
            StoredPlan stored =
                    StoredPlan.of(digest, plan, Files.getLastModifiedTime(file).toInstant());
            if (trust.problem(digest, plan.image(), plan.topChain(), statements.read(digest))
                    .isEmpty()) {
                index.add(stored);
            } else {
                index.addRefused(stored);
            }
        } catch (FormatException e) {
            events.error(TOPIC, "removed the plan " + file + ", it is requested again: " + Events.reason(e));
            Files.deleteIfExists(file);
            states.unmarkComplete(digest);
        }
    }

    private void reportRefused() {
        List<StoredPlan> refused = index.refused();
        if (!refused.isEmpty()) {
            events.fallback(
                    TOPIC,
                    refused.size() + " plans of this node have no signature of a pinned key, such as plan "
                            + refused.getFirst().digest() + "; new containers wait until the service sends one");
        }
    }

    /** The digest that a file is named by; empty when the file is no plan. */
    static Optional<Digest> digestOf(String name) {
        try {
            return Optional.of(new Digest(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The plan for {@code chain} that may be used: one whose top it is, else the newest that contains it. */
    public Optional<StoredPlan> find(ChainId chain) {
        return index.find(chain);
    }

    /** The plans of the image with this manifest digest that may be used. */
    public List<StoredPlan> of(Digest image) {
        return index.of(image);
    }

    /** Bytes that a plan and its metadata image occupy. */
    public long bytes(StoredPlan plan) throws IOException {
        return Files.size(plans.resolve(plan.digest().hex())) + plan.top().metadataSize();
    }

    /** All plans, also those that may not be used for new containers. */
    public List<StoredPlan> all() {
        return index.all();
    }

    /** Plans that may not be used until a statement of theirs is offered. */
    public List<StoredPlan> refused() {
        return index.refused();
    }

    /** Whether the plan is here. */
    public boolean has(Digest digest) {
        return index.get(digest).isPresent();
    }

    /** The whole plan, read from the disk and verified, unless it is in memory still. */
    public Plan load(Digest digest) throws IOException {
        return decoded.load(digest, has(digest));
    }

    /** As {@link #load}; empty when the plan was taken away meanwhile. */
    public Optional<Plan> loadIfHere(Digest digest) throws IOException {
        try {
            return Optional.of(load(digest));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Verifies and publishes an encoded plan; one that is already here counts as received again, now.
     *
     * @param received its statement, as it came with it; the one that is here counts as well
     * @throws FormatException when the bytes are no plan
     * @throws RefusedPlanException when it may not be used; then nothing is published
     */
    public StoredPlan save(byte[] encoded, Optional<SignedDocument> received) throws IOException {
        Digest digest = Digest.of(encoded);
        Plan plan = PlanCodec.decode(encoded);
        Optional<SignedDocument> statement = verified(digest, plan, received);
        Instant now = clock.instant();
        Path file = plans.resolve(digest.hex());
        if (Files.exists(file)) {
            Files.setLastModifiedTime(file, FileTime.from(now));
        } else {
            AtomicFile.publishAndSync(file, out -> out.write(encoded));
        }
        if (statement.isPresent()) {
            statements.save(digest, statement.get());
        }
        StoredPlan stored = StoredPlan.of(digest, plan, now);
        index.add(stored);
        decoded.keep(digest, plan);
        return stored;
    }

    /**
     * The statement that a plan may be used with, if it needs one.
     *
     * @throws RefusedPlanException when neither the received one nor the one that is here is right
     */
    public Optional<SignedDocument> verified(Digest digest, Plan plan, Optional<SignedDocument> received)
            throws IOException {
        Optional<String> problem = trust.problem(digest, plan.image(), plan.topChain(), received);
        if (problem.isEmpty()) {
            return received;
        }
        Optional<SignedDocument> here = statements.read(digest);
        if (trust.problem(digest, plan.image(), plan.topChain(), here).isPresent()) {
            throw new RefusedPlanException(digest, plan.image(), problem.get());
        }
        return here;
    }

    /** Keeps the statement of a plan that is here, which may be used from now on; false when it may not. */
    public boolean offer(Digest digest, SignedDocument statement) throws IOException {
        Optional<StoredPlan> plan = index.get(digest);
        if (plan.isEmpty()
                || trust.problem(digest, plan.get().image(), plan.get().top().chainId(), Optional.of(statement))
                        .isPresent()) {
            return false;
        }
        statements.save(digest, statement);
        index.add(plan.get());
        return true;
    }

    /** The newest plans whose prefetch lists were present once, at most {@code limit}. */
    public List<Digest> complete(int limit) {
        return all().stream()
                .filter(plan -> states.isComplete(plan.digest()))
                .sorted(Comparator.comparing(StoredPlan::received).reversed())
                .map(StoredPlan::digest)
                .limit(limit)
                .toList();
    }

    /** The newest plans that are here with the metadata images of their tops, at most {@code limit}. */
    public List<Digest> bases(int limit) {
        return all().stream()
                .sorted(Comparator.comparing(StoredPlan::received).reversed())
                .filter(plan -> images.isVerified(plan.top().metadata()))
                .map(StoredPlan::digest)
                .limit(limit)
                .toList();
    }

    /** The bytes of a plan that is here. */
    public byte[] encoded(Digest digest) throws IOException {
        return Files.readAllBytes(plans.resolve(digest.hex()));
    }

    /** The settings that the functions of plans' images request. */
    public SettingsFiles settings() {
        return settings;
    }

    /** The states of plans. */
    public PlanStates states() {
        return states;
    }

    /** The metadata images of plans, and others. */
    public MetadataImages images() {
        return images;
    }

    /** Deletes the metadata images that no plan here names. */
    public MetadataImages.Pruned pruneImages() throws IOException {
        return images.prune(all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(PlanLayer::metadata)
                .collect(Collectors.toSet()));
    }

    /** When plans were used. */
    public PlanUses uses() {
        return uses;
    }

    /** Takes a plan away, its marks first; its metadata images stay. Nothing happens when it is not here. */
    public void remove(Digest digest) throws IOException {
        states.remove(digest);
        index.remove(digest);
        Files.deleteIfExists(plans.resolve(digest.hex()));
        settings.remove(digest);
        statements.remove(digest);
        uses.remove(digest);
    }
}
