package io.faasimage.node.plan;

import io.faasimage.api.image.StartMode;
import io.faasimage.format.FormatException;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The plans on the local disk, with an index from chain ID to plan that is rebuilt from there at the start. Every plan
 * is verified before it is published, and again when it is read. Thread-safe.
 *
 * <p>Layout below the root: {@code plans/<hex>} an encoded plan, {@code plans/<hex>.settings} what its functions ask
 * for, {@code plans/<hex>.uses} and {@code plans/hours} when it was used, the {@linkplain PlanMarks marks}, {@code
 * metadata/} the {@linkplain MetadataImages metadata images} and {@code plans/boot} the boot in which all of these were
 * written or verified.
 */
public final class PlanStore {
    private static final String SETTINGS = ".settings";
    private static final String TOPIC = "plan";

    private final Path plans;
    private final InstantSource clock;
    private final Map<Digest, StoredPlan> byDigest = new HashMap<>();
    private final Map<ChainId, StoredPlan> byChain = new HashMap<>();
    private final Map<Digest, Map<Digest, StoredPlan>> byImage = new HashMap<>();

    private final Map<Digest, PlanSettings> settings = new ConcurrentHashMap<>();
    private final Events events;
    private final PlanUses uses;
    private final PlanMarks marks;
    private final MetadataImages images;
    /** The plan that was read or saved last: one start requests it several times. */
    private volatile SoftReference<Decoded> last = new SoftReference<>(null);

    private record Decoded(Digest digest, Plan plan) {}

    private PlanStore(Path plans, MetadataImages images, Events events, InstantSource clock) {
        this.events = events;
        this.plans = plans;
        this.clock = clock;
        this.uses = new PlanUses(plans, events, clock);
        this.marks = new PlanMarks(plans, uses, events);
        this.images = images;
    }

    /**
     * Opens the store below {@code root} and reads its index; damaged plans are removed with an event.
     *
     * @throws IOException when the directories cannot be made or listed
     */
    public static PlanStore open(Path root, Events events, InstantSource clock) throws IOException {
        Path plans = Files.createDirectories(root.resolve("plans"));
        AtomicFile.sweep(plans);
        MetadataImages images = MetadataImages.open(root.resolve("metadata"), plans.resolve("boot"), events);
        PlanStore store = new PlanStore(plans, images, events, clock);
        store.readIndex();
        store.marks.load();
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
            Plan plan = decode(digest, Files.readAllBytes(file));
            index(StoredPlan.of(digest, plan, Files.getLastModifiedTime(file).toInstant()));
        } catch (FormatException e) {
            events.error(TOPIC, "removed the plan " + file + ", it is requested again: " + Events.reason(e));
            Files.deleteIfExists(file);
            marks.unmarkComplete(digest);
        }
    }

    /** The digest that a file is named by; empty for what is no plan. */
    static Optional<Digest> digestOf(String name) {
        try {
            return Optional.of(new Digest(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Plan decode(Digest digest, byte[] encoded) throws FormatException {
        if (!Digest.of(encoded).equals(digest)) {
            throw FormatException.corrupt("the content of plan " + digest + " has the digest " + Digest.of(encoded));
        }
        return PlanCodec.decode(encoded);
    }

    private synchronized void index(StoredPlan plan) {
        byDigest.put(plan.digest(), plan);
        byImage.computeIfAbsent(plan.image(), image -> new HashMap<>()).put(plan.digest(), plan);
        for (PlanLayer layer : plan.layers()) {
            byChain.merge(layer.chainId(), plan, (a, b) -> preferred(layer.chainId(), a, b));
        }
    }

    /** A plan that ends at the chain before one that continues, and the newer before the older. */
    private static StoredPlan preferred(ChainId chain, StoredPlan a, StoredPlan b) {
        Comparator<StoredPlan> order = Comparator.<StoredPlan, Boolean>comparing(
                        plan -> plan.top().chainId().equals(chain))
                .thenComparing(StoredPlan::received)
                .thenComparing(StoredPlan::digest);
        return order.compare(a, b) >= 0 ? a : b;
    }

    /** The plan for {@code chain}: one whose top it is, else the newest that contains it. */
    public synchronized Optional<StoredPlan> find(ChainId chain) {
        return Optional.ofNullable(byChain.get(chain));
    }

    /** The plans of the image with this manifest digest. */
    public synchronized List<StoredPlan> of(Digest image) {
        return List.copyOf(byImage.getOrDefault(image, Map.of()).values());
    }

    /** Bytes that a plan and its metadata image occupy. */
    public long bytes(StoredPlan plan) throws IOException {
        return Files.size(plans.resolve(plan.digest().hex())) + plan.top().metadataSize();
    }

    /** All plans. */
    public synchronized List<StoredPlan> all() {
        return List.copyOf(byDigest.values());
    }

    /** Whether the plan is here. */
    public synchronized boolean has(Digest digest) {
        return byDigest.containsKey(digest);
    }

    /** The whole plan, read from the disk and verified, unless it is in memory still. */
    public Plan load(Digest digest) throws IOException {
        Decoded here = last.get();
        if (here != null && here.digest().equals(digest) && has(digest)) {
            return here.plan();
        }
        Plan plan = decode(digest, Files.readAllBytes(plans.resolve(digest.hex())));
        last = new SoftReference<>(new Decoded(digest, plan));
        return plan;
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
     * @throws FormatException when the bytes are no plan
     */
    public StoredPlan save(byte[] encoded) throws IOException {
        Digest digest = Digest.of(encoded);
        Plan plan = PlanCodec.decode(encoded);
        Instant now = clock.instant();
        Path file = plans.resolve(digest.hex());
        if (Files.exists(file)) {
            Files.setLastModifiedTime(file, FileTime.from(now));
        } else {
            AtomicFile.publishAndSync(file, out -> out.write(encoded));
        }
        StoredPlan stored = StoredPlan.of(digest, plan, now);
        index(stored);
        last = new SoftReference<>(new Decoded(digest, plan));
        return stored;
    }

    /** The newest plans whose prefetch lists were present once, at most {@code limit}. */
    public List<Digest> complete(int limit) {
        return all().stream()
                .filter(plan -> marks.isComplete(plan.digest()))
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

    /** Remembers what the service says of a plan besides its content. */
    public void saveSettings(Digest digest, PlanSettings settings) throws IOException {
        if (!settings.equals(settings(digest))) {
            byte[] text = settings.text().getBytes(StandardCharsets.UTF_8);
            AtomicFile.publish(plans.resolve(digest.hex() + SETTINGS), out -> out.write(text));
            this.settings.put(digest, settings);
        }
    }

    /** When containers of the plan's image start, if its functions say. */
    public Optional<StartMode> startMode(Digest digest) {
        return settings(digest).start();
    }

    /** What the service says of a plan besides its content. */
    public PlanSettings settings(Digest digest) {
        return settings.computeIfAbsent(digest, this::readSettings);
    }

    private PlanSettings readSettings(Digest digest) {
        try {
            return PlanSettings.parse(Files.readString(plans.resolve(digest.hex() + SETTINGS)));
        } catch (NoSuchFileException e) {
            return PlanSettings.NONE;
        } catch (IOException | IllegalArgumentException e) {
            events.error(TOPIC, "the settings of plan " + digest + " are unreadable and ignored: " + Events.reason(e));
            return PlanSettings.NONE;
        }
    }

    /** What is remembered of plans. */
    public PlanMarks marks() {
        return marks;
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
        marks.remove(digest);
        synchronized (this) {
            byDigest.remove(digest);
            byChain.clear();
            byImage.clear();
            all().forEach(this::index);
        }
        Files.deleteIfExists(plans.resolve(digest.hex()));
        Files.deleteIfExists(plans.resolve(digest.hex() + SETTINGS));
        settings.remove(digest);
        uses.remove(digest);
    }
}
