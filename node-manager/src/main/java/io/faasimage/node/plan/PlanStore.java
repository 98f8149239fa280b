package io.faasimage.node.plan;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.api.StartMode;
import io.faasimage.format.FormatException;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The plans and metadata images on the local disk, with an index from chain ID to plan that is rebuilt from there at
 * the start. Every file is verified before it is published, a plan again when it is read, and a metadata image again
 * after the machine was started anew: nothing is flushed while a start waits. Thread-safe.
 *
 * <p>Layout below the root: {@code plans/<hex>} an encoded plan, {@code plans/<hex>.complete} a mark that its start-up
 * set was held once, {@code plans/<hex>.settings} what its functions ask for, {@code metadata/<hex>.erofs} a metadata
 * image, {@code plans/<hex>.uses} and {@code plans/hours} when it was used, {@code plans/<hex>.whole} a mark that all
 * of its image must stay here, {@code plans/fast-tier} the fast tier that the marks are about, {@code plans/boot} the
 * boot in which all of them were written or verified.
 */
public final class PlanStore {
    private static final String COMPLETE = ".complete";
    private static final String IMAGE = ".erofs";
    private static final String SETTINGS = ".settings";
    private static final String WARMED = "warmed";
    private static final String TOPIC = "plan";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path plans;
    private final Path metadata;
    private final InstantSource clock;
    private final Map<Digest, StoredPlan> byDigest = new HashMap<>();
    private final Map<ChainId, StoredPlan> byChain = new HashMap<>();

    private final Map<Digest, PlanSettings> settings = new ConcurrentHashMap<>();
    /** Plans whose start-up sets are held, but perhaps not yet on the disk. */
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();

    /** Metadata images that were here when the machine was started, and have not been read since. */
    private final Set<Digest> unverified = ConcurrentHashMap.newKeySet();

    private final Events events;
    private final PlanUses uses;
    private boolean newBoot;
    /** The plan that was read or saved last: one start asks for it several times. */
    private volatile SoftReference<Decoded> last = new SoftReference<>(null);

    private volatile Optional<FastMetadata> fastMetadata = Optional.empty();

    private record Decoded(Digest digest, Plan plan) {}

    private PlanStore(Path root, Events events, InstantSource clock) {
        this.events = events;
        this.plans = root.resolve("plans");
        this.metadata = root.resolve("metadata");
        this.clock = clock;
        this.uses = new PlanUses(plans, events, clock);
    }

    /**
     * Opens the store below {@code root} and reads its index; damaged plans are removed with an event.
     *
     * @throws IOException when the directories cannot be made or listed
     */
    public static PlanStore open(Path root, Events events, InstantSource clock) throws IOException {
        PlanStore store = new PlanStore(root, events, clock);
        Files.createDirectories(store.plans);
        Files.createDirectories(store.metadata);
        AtomicFile.sweep(store.plans);
        AtomicFile.sweep(store.metadata);
        store.readIndex();
        store.listUnverified();
        store.uses.load();
        return store;
    }

    /**
     * In a new boot of the machine, a crash may have left metadata images unfinished: each is read before it is used.
     */
    private void listUnverified() throws IOException {
        Path mark = plans.resolve("boot");
        if (Files.exists(mark) && Arrays.equals(Files.readAllBytes(mark), Files.readAllBytes(BOOT_ID))) {
            return;
        }
        newBoot = true;
        try (DirectoryStream<Path> images = Files.newDirectoryStream(metadata, "*" + IMAGE)) {
            for (Path image : images) {
                String name = String.valueOf(image.getFileName());
                digestOf(name.substring(0, name.length() - IMAGE.length())).ifPresent(unverified::add);
            }
        }
    }

    /** Verifies the metadata images that have not been used since the machine was started, and notes that. */
    public void verifyMetadata() throws IOException {
        if (newBoot) {
            unverified.forEach(this::hasMetadata);
            AtomicFile.publishSynced(plans.resolve("boot"), out -> out.write(Files.readAllBytes(BOOT_ID)));
        }
    }

    private boolean isSound(Digest image) {
        if (!unverified.contains(image)) {
            return true;
        }
        try {
            if (!digest(metadataPath(image)).equals(image)) {
                events.error(TOPIC, "removed the damaged metadata image " + image + ", it is asked for again");
                Files.deleteIfExists(metadataPath(image));
            }
        } catch (IOException e) {
            events.error(TOPIC, "the metadata image " + image + " cannot be read: " + Events.reason(e));
            return false;
        }
        unverified.remove(image);
        return Files.exists(metadataPath(image));
    }

    private static Digest digest(Path file) throws IOException {
        MessageDigest hash = Digest.newSha256();
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), hash));
        }
        return Digest.ofBytes(hash.digest());
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
            events.error(TOPIC, "removed the plan " + file + ", it is asked for again: " + Events.reason(e));
            Files.deleteIfExists(file);
            Files.deleteIfExists(marker(digest));
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
        for (PlanLayer layer : plan.layers()) {
            byChain.merge(layer.chainId(), plan, (a, b) -> preferred(layer.chainId(), a, b));
        }
    }

    /** A plan that ends at the chain before one that goes on, and the newer before the older. */
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

    /** All plans. */
    public synchronized List<StoredPlan> all() {
        return List.copyOf(byDigest.values());
    }

    /** Whether the plan is here. */
    synchronized boolean has(Digest digest) {
        return byDigest.containsKey(digest);
    }

    /**
     * Remembers that the base of a runtime was brought here without a plan of its own: what no plan has was used now.
     */
    void markWarmed() {
        byte[] number = Long.toString(uses.newest()).getBytes(StandardCharsets.US_ASCII);
        try {
            AtomicFile.publish(plans.resolve(WARMED), out -> out.write(number));
        } catch (IOException e) {
            events.error(TOPIC, "it is not remembered that a runtime's base is here: " + Events.reason(e));
        }
    }

    /** How many of these plans, the least recently used first, were used before what no plan has. */
    public int unplannedPlace(List<Digest> order) {
        long warmed;
        try {
            warmed = Long.parseLong(Files.readString(plans.resolve(WARMED)));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return (int) order.stream().filter(plan -> uses.last(plan) <= warmed).count();
    }

    /** Objects that no plan here has were dropped. */
    public void unmarkWarmed() throws IOException {
        Files.deleteIfExists(plans.resolve(WARMED));
    }

    /** Whether this node holds objects of start-up sets that no complete plan tells of. */
    boolean isWarmed() {
        return Files.exists(plans.resolve(WARMED));
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

    /** Where the metadata image lies, if it is here. */
    public Path metadataPath(Digest digest) {
        return metadata.resolve(digest.hex() + IMAGE);
    }

    /** Whether the metadata image is here. */
    public boolean hasMetadata(Digest digest) {
        return Files.exists(metadataPath(digest)) && isSound(digest);
    }

    /**
     * Verifies and publishes a metadata image.
     *
     * @param size its size in bytes, not compressed
     * @param content the image, as a zstd frame when {@code zstd}; closed here
     * @throws IOException when size or digest differ, or the disk is full; nothing is published then
     */
    public void saveMetadata(Digest digest, long size, InputStream content, boolean zstd) throws IOException {
        try (InputStream raw = zstd ? new ZstdInputStream(content) : content) {
            AtomicFile.publishAndSync(metadataPath(digest), out -> copyVerified(digest, size, raw, out));
            unverified.remove(digest);
        }
    }

    private static void copyVerified(Digest digest, long size, InputStream raw, OutputStream out) throws IOException {
        MessageDigest hash = Digest.newSha256();
        long copied = copyAtMost(raw, new DigestOutputStream(out, hash), size);
        Digest found = Digest.ofBytes(hash.digest());
        if (copied != size || !found.equals(digest)) {
            throw FormatException.corrupt("metadata image " + digest + " of " + size + " bytes arrived as " + found
                    + " of " + copied + " bytes");
        }
    }

    /** Copies {@code in} to {@code out} but at most {@code limit} bytes; answers how many. */
    private static long copyAtMost(InputStream in, OutputStream out, long limit) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long total = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            total += n;
            if (total > limit) {
                throw new IOException("more than the " + limit + " bytes that were announced");
            }
            out.write(buffer, 0, n);
        }
        return total;
    }

    /** Remembers that the whole start-up set of a plan is held, as long as this process lives. */
    void noteComplete(Digest digest) {
        held.add(digest);
    }

    /** Remembers that the whole start-up set of a plan is held, and on the disk. */
    public void markComplete(Digest digest) throws IOException {
        held.add(digest);
        if (!Files.exists(marker(digest))) {
            AtomicFile.publishSynced(marker(digest), out -> {});
        }
    }

    /** Whether the start-up set of a plan was held once. */
    public boolean isComplete(Digest digest) {
        return held.contains(digest) || Files.exists(marker(digest));
    }

    /** Takes the mark away: something of the start-up set is missing. */
    public void unmarkComplete(Digest digest) throws IOException {
        held.remove(digest);
        Files.deleteIfExists(marker(digest));
    }

    /** The newest plans whose start-up sets were held once, at most {@code limit}. */
    public List<Digest> complete(int limit) {
        return all().stream()
                .sorted(Comparator.comparing(StoredPlan::received).reversed())
                .map(StoredPlan::digest)
                .filter(this::isComplete)
                .limit(limit)
                .toList();
    }

    /** Remembers what the functions of the plan's image ask for. */
    void saveSettings(Digest digest, PlanSettings settings) throws IOException {
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

    /** What the functions of the plan's image ask for. */
    PlanSettings settings(Digest digest) {
        return settings.computeIfAbsent(digest, this::readSettings);
    }

    private PlanSettings readSettings(Digest digest) {
        try {
            return PlanSettings.parse(Files.readString(plans.resolve(digest.hex() + SETTINGS)));
        } catch (NoSuchFileException e) {
            return PlanSettings.NONE;
        } catch (IOException | IllegalArgumentException e) {
            events.error(
                    TOPIC, "the settings of plan " + digest + " are unreadable and count as none: " + Events.reason(e));
            return PlanSettings.NONE;
        }
    }

    /** When plans were used. */
    public PlanUses uses() {
        return uses;
    }

    /** Containers that cannot fetch anything any more run on this plan. */
    void markWhole(Digest digest) throws IOException {
        if (!isWhole(digest)) {
            AtomicFile.publishSynced(wholeMarker(digest), out -> {});
        }
    }

    /** Whether objects of this plan must stay as long as its containers do. */
    boolean isWhole(Digest digest) {
        return Files.exists(wholeMarker(digest));
    }

    void unmarkWhole(Digest digest) throws IOException {
        Files.deleteIfExists(wholeMarker(digest));
    }

    /**
     * Forgets which plans are complete when objects may lie, or have lain, in another fast tier than before: one on
     * memory is empty after a boot.
     *
     * @param tier name of what is there now; empty when there is none
     */
    public void useFastTier(Optional<String> tier) throws IOException {
        Path file = plans.resolve("fast-tier");
        String before = Files.exists(file) ? Files.readString(file) : "";
        String now = tier.orElse("");
        if (before.equals(now)) {
            return;
        }
        for (StoredPlan plan : all()) {
            unmarkComplete(plan.digest());
        }
        AtomicFile.publishSynced(file, out -> out.write(now.getBytes(StandardCharsets.UTF_8)));
        if (!before.isEmpty()) {
            events.info(
                    TOPIC, "the fast tier is another one, or empty: start-up sets are looked for at their next start");
        }
    }

    /**
     * Lets metadata images be mounted from copies in the fast tier.
     *
     * @param directory of the fast tier
     * @param mostBytes of all copies
     */
    public void copyMetadataTo(Path directory, long mostBytes) throws IOException {
        fastMetadata = Optional.of(new FastMetadata(directory.resolve("metadata"), mostBytes, newBoot, events));
    }

    /** The file to mount a metadata image from, which is here. */
    Path mountableMetadata(Digest digest) throws IOException {
        Path image = metadataPath(digest);
        return fastMetadata.isPresent() ? fastMetadata.get().of(image) : image;
    }

    /** Takes a plan away, its marks first; its metadata images stay. Nothing happens when it is not here. */
    void remove(Digest digest) throws IOException {
        unmarkComplete(digest);
        unmarkWhole(digest);
        synchronized (this) {
            byDigest.remove(digest);
            byChain.clear();
            all().forEach(this::index);
        }
        Files.deleteIfExists(plans.resolve(digest.hex()));
        Files.deleteIfExists(plans.resolve(digest.hex() + SETTINGS));
        settings.remove(digest);
        uses.remove(digest);
    }

    /** Deletes the metadata images that no plan here names; answers their bytes and how many. */
    public PrunedImages pruneMetadata() throws IOException {
        Set<String> needed = all().stream()
                .flatMap(plan -> plan.layers().stream())
                .map(layer -> layer.metadata().hex() + IMAGE)
                .collect(Collectors.toSet());
        int count = 0;
        long bytes = 0;
        try (DirectoryStream<Path> images = Files.newDirectoryStream(metadata, "*" + IMAGE)) {
            for (Path image : images) {
                if (!needed.contains(String.valueOf(image.getFileName()))) {
                    bytes += Files.size(image);
                    count++;
                    Files.delete(image);
                    if (fastMetadata.isPresent()) {
                        fastMetadata.get().remove(image);
                    }
                }
            }
        }
        return new PrunedImages(count, bytes);
    }

    /**
     * Metadata images that were deleted.
     *
     * @param count how many
     * @param bytes their sizes
     */
    public record PrunedImages(int count, long bytes) {}

    private Path wholeMarker(Digest digest) {
        return plans.resolve(digest.hex() + ".whole");
    }

    private Path marker(Digest digest) {
        return plans.resolve(digest.hex() + COMPLETE);
    }
}
