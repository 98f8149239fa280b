package io.faasimage.node.agent.warmup;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.lazy.PulledManifests;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.starts.record.StartJournal;
import io.faasimage.node.starts.record.StartRecorder;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The agent's warm-up: repeated starts of a made-up image. containerd's calls to a snapshotter of its own, the plan and
 * the objects from a registry of its own, the record, into a directory of its own, which it removes. Nothing is
 * mounted but its packs.
 */
public final class WarmUp {
    private static final int ROUNDS = 4;
    /** Starts of the image in a round that find everything present, after the one that pulls. */
    private static final int REPEATS = 3;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofMillis(10);

    private final Path directory;
    private final Optional<Path> packs;
    private final Events events;
    private final BooleanSupplier needed;
    private final Runnable cryptography;

    /**
     * Where a warm-up does no harm: ext4 passes over every inode of the last minutes when it makes a new one
     * (recently_deleted), so that the files that a warm-up removes there would slow the first real pull.
     *
     * @param run a directory that a boot may empty; taken when it is in memory, as it should, or when there is no other
     *     in memory
     */
    public static Path directory(Path run) throws IOException {
        return isInMemory(run) || !isInMemory(SHARED_MEMORY)
                ? run.resolve("warm-up")
                : SHARED_MEMORY.resolve(
                        "faasimage-" + Integer.toHexString(run.toAbsolutePath().hashCode()));
    }

    private static boolean isInMemory(Path directory) throws IOException {
        return Files.isDirectory(directory)
                && Files.getFileStore(directory).type().equals("tmpfs");
    }

    /**
     * A warm-up that has not begun.
     *
     * @param directory made and removed
     * @param packs directory for packs, made and removed, on the file system of the node's; empty when it has none
     * @param needed evaluated between two rounds; when it is false the warm-up ends: real work has begun
     * @param cryptography the warm-up of encrypted connections and of the verification of plans. It runs late in this
     *     one, when the agent has connected to the service: the classes of a handshake would invalidate code compiled
     *     before
     */
    public WarmUp(Path directory, Optional<Path> packs, Events events, BooleanSupplier needed, Runnable cryptography) {
        this.packs = packs;
        this.directory = directory;
        this.events = events;
        this.needed = needed;
        this.cryptography = cryptography;
    }

    /** Runs in the background. Returns at once. */
    public void start() {
        Thread.ofPlatform().name("warm-up").daemon().start(this::run);
    }

    /** Runs on this thread. */
    void run() {
        long begin = System.nanoTime();
        played(this::rounds)
                .ifPresent(rounds -> events.info(
                        "warm-up",
                        rounds + " made-up starts in " + (System.nanoTime() - begin) / 1_000_000
                                + " ms: the agent is warm"));
    }

    /** One round, on this thread, for code that was warm before. */
    public void again() {
        if (needed.getAsBoolean()) {
            var _ = played(madeUp -> {
                round(madeUp, 0);
                return 1;
            });
        }
    }

    /** Some rounds; returns how many. */
    @FunctionalInterface
    private interface Act {
        int play(MadeUpPlan madeUp) throws IOException, InterruptedException, ExecutionException, TimeoutException;
    }

    private OptionalInt played(Act act) {
        try {
            clear();
            return OptionalInt.of(act.play(MadeUpPlan.make(Files.createDirectories(directory.resolve("frames")))));
        } catch (IOException | ExecutionException | TimeoutException | RuntimeException e) {
            events.info("warm-up", "ended early, so the first pull may be slower: " + Events.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try {
                clear();
            } catch (IOException e) {
                events.error("warm-up", "could not remove " + directory + ": " + Events.reason(e));
            }
        }
        return OptionalInt.empty();
    }

    private int rounds(MadeUpPlan madeUp)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        int round = 0;
        while (round < ROUNDS && needed.getAsBoolean()) {
            if (round == ROUNDS - 1) {
                cryptography.run();
                // The garbage of the rounds would be collected in the middle of the first start. One round more: after
                // a full collection the first call of each compiled method passes a barrier (some 10 us).
                System.gc();
            }
            round(madeUp, round++);
        }
        return round;
    }

    private void round(MadeUpPlan madeUp, int number)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Path root = Files.createDirectories(directory.resolve(Integer.toString(number)));
        Events quiet = new Events(1, InstantSource.system(), Events.Log.NONE);
        try (Stage stage = new Stage(madeUp);
                ServiceClient client = new ServiceClient(
                        new ServiceConfig(stage.address(), Optional.empty(), Duration.ofSeconds(5), LIMIT));
                ObjectStore store = ObjectStore.open(root, "warm-up", openPacks())) {
            ServiceLink link =
                    new ServiceLink(client, new Breaker(Duration.ofSeconds(1), System::nanoTime), new RequestBudget());
            PlanStore plans = PlanStore.open(root, PlanTrust.EVERY_PLAN, quiet, InstantSource.system());
            try (Pulls pulls = new Pulls(link, store, PullConfig.standard(0), quiet, InstantSource.system());
                    StartJournal journal = new StartJournal(StartJournal.below(root), "warm-up", link, pulls, quiet);
                    StartRecorder recorder = new StartRecorder(
                            WINDOW,
                            plans,
                            pulls,
                            StartMode.EARLY,
                            journal,
                            record -> {},
                            quiet,
                            InstantSource.system());
                    PlannedImages node = new PlannedImages(new PlannedImages.Parts(
                            link,
                            plans,
                            pulls,
                            PlanConfig.standard(),
                            PulledManifests.NAMED,
                            new NoMounts(Files.createDirectories(root.resolve("rootfs"))),
                            new NoMounts.Gate(),
                            Optional.empty(),
                            recorder,
                            quiet));
                    TrialCalls calls = new TrialCalls(root.resolve("s"), node, recorder)) {
                pulls.serve(plans::loadIfHere);
                start(madeUp, calls, pulls);
                for (int i = 0; i < REPEATS && needed.getAsBoolean(); i++) {
                    calls.start(madeUp.plan().image(), chains(madeUp.plan()));
                }
            }
        }
        delete(root);
        removePacks();
    }

    private Optional<Packs.Opening> openPacks() {
        return packs.map(place -> () -> Packs.open(place, Optional.empty()));
    }

    private void removePacks() throws IOException {
        if (packs.isPresent()) {
            Packs.remove(packs.get());
        }
    }

    private static void start(MadeUpPlan madeUp, TrialCalls calls, Pulls pulls)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Plan plan = madeUp.plan();
        calls.start(plan.image(), chains(plan));
        Optional<Pull> running = pulls.running(PlanCodec.digest(plan), Part.STARTUP);
        PullReport report = running.isPresent()
                ? running.get().done().get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                : pulls.finished().getLast();
        if (!report.complete()) {
            throw new IOException("incomplete: " + String.join("; ", report.failures()));
        }
        for (PlanObject single : madeUp.singles()) {
            pulls.demand().fetch(single.digest(), () -> {});
        }
    }

    private static List<ChainId> chains(Plan plan) {
        return plan.layers().stream().map(PlanLayer::chainId).toList();
    }

    private void clear() throws IOException {
        removePacks();
        if (Files.exists(directory)) {
            delete(directory);
        }
    }

    private static void delete(Path tree) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(tree)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
