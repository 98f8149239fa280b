package io.faasimage.node.gate;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.gate.GateSupervision;
import io.faasimage.linux.ReadGuard;
import io.faasimage.node.gate.GateProcesses.Started;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.GateReadiness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The supervision of the gate's process: adopts one that lives, starts one otherwise, kills one that hangs, and starts
 * another when it dies. Its own thread does the work. The gate outlives this process on purpose: containers keep
 * running while the agent is exchanged.
 *
 * <p>The gate's connection to the kernel is kept here, too, where the kernel can send requests again (Linux 6.9): a new
 * gate continues with it, and readers wait for a moment. Elsewhere, a gate that was started with other options is
 * retired, never killed: it serves the containers that use it. A connection that no gate continues with is closed, so
 * that readers get an error.
 */
public final class GateSupervisor implements GateReadiness, AutoCloseable {
    static final String TOPIC = "gate";

    private static final Duration LONG_LIFE = Duration.ofMinutes(1);
    private static final Duration END = Duration.ofSeconds(5);
    /** Gates in a row that die soon, before a request is suspected of killing them. */
    private static final int MOST_SHORT_LIVES = 10;

    private final GateConfig config;
    private final Events events;
    private final GateState state;
    private final GateControl control;
    private final GatePaths paths;
    private final GateProcesses processes;
    private final GateWatch watch;
    private final KeptConnection kept;
    private final OptionalInt guard;
    private volatile @Nullable Thread thread;
    private Replacement replaced = died -> {};
    private int shortLives;
    private volatile boolean closing;

    /** The reaction to a new gate that replaces an old one. */
    @FunctionalInterface
    public interface Replacement {
        /**
         * Called on the supervisor's thread before the new gate counts as ready.
         *
         * @param died whether containers cannot fetch through the old one any more; otherwise it serves them until they
         *     end
         */
        void replaced(boolean died);
    }

    /**
     * Not started yet.
     *
     * @param guard descriptor of the guard of packs, which each gate keeps for the next agent; empty without
     */
    public GateSupervisor(GateConfig config, OptionalInt guard, Events events) {
        this.guard = guard;
        this.config = config;
        this.events = events;
        this.state = new GateState(events);
        this.control = new GateControl(config);
        this.paths = new GatePaths(config);
        this.processes = new GateProcesses(config, control, state, events);
        this.watch = new GateWatch(config, processes, state, events);
        this.kept = new KeptConnection(events);
    }

    /** Begins; returns at once. {@code reaction} is called for each gate that replaces another. */
    public void start(Replacement reaction) {
        replaced = reaction;
        thread = Thread.ofPlatform().name("gate").daemon().start(() -> {
            supervise();
            kept.drop();
        });
    }

    private void supervise() {
        Backoff backoff = new Backoff(config.firstBackoff(), config.longestBackoff(), new SplittableRandom());
        try {
            while (!closing) {
                long begin = System.nanoTime();
                try {
                    watch.run(adoptOrStart());
                } catch (IOException e) {
                    state.failed(Events.reason(e));
                }
                boolean lived = System.nanoTime() - begin > LONG_LIFE.toNanos();
                shortLives = lived ? 0 : shortLives + 1;
                if (lived) {
                    backoff.reset();
                }
                if (!closing) {
                    Thread.sleep(backoff.next());
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private ProcessHandle adoptOrStart() throws IOException, InterruptedException {
        Optional<GateStatus> status = control.isServed() ? awaitStatus() : Optional.empty();
        boolean retired = false;
        if (status.isPresent()) {
            ProcessHandle gate = GateControl.process(status.get())
                    .orElseThrow(() -> new IOException("the process that serves " + config.control() + " has ended"));
            kept.take(status.get());
            Optional<String> unfit = unfit(status.get());
            if (unfit.isEmpty()) {
                events.info(TOPIC, "adopted the running gate, process " + gate.pid());
                giveGuard();
                state.ready();
                return gate;
            }
            retired = leave(gate, status.get(), unfit.get());
        }
        if (shortLives > MOST_SHORT_LIVES || !paths.isMounted()) {
            kept.drop();
        }
        checkOpen();
        return kept.isThere() ? startOnKeptConnection() : startAnew(!retired);
    }

    /** The interrupt of {@link #close} makes a call to the gate fail, which says nothing about the gate. */
    private void checkOpen() throws InterruptedException {
        if (closing) {
            throw new InterruptedException("the supervision is closed");
        }
    }

    /**
     * Starts a gate with the connection of the one before; readers that wait get their answers from this one. When it
     * does not start, the connection is kept for the next.
     */
    private ProcessHandle startOnKeptConnection() throws IOException, InterruptedException {
        long began = System.nanoTime();
        paths.prepare(true);
        Started started = processes.start(kept.options());
        events.info(
                TOPIC,
                "started the gate, process " + started.process().pid()
                        + ", which took over the mounts of the previous one after "
                        + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
        ready();
        return started.process().toHandle();
    }

    private void giveGuard() {
        if (guard.isEmpty()) {
            return;
        }
        try {
            control.keep(guard.getAsInt());
        } catch (IOException e) {
            events.fallback(
                    TOPIC,
                    "reads that wait for parts of files will fail when the agent ends, because the gate does not keep"
                            + " their guard: " + Events.reason(e));
        }
    }

    /** The guard of packs of the agent before this one, which its gate has kept. */
    public static Optional<ReadGuard> guardOf(Path control, Events events) {
        try {
            if (!ControlServer.isServed(control)) {
                return Optional.empty();
            }
            GateStatus status =
                    TimedCall.run("gate-guard", END, () -> new ControlClient(control).call(GateOperations.STATUS));
            return status.guard() < 0 ? Optional.empty() : Optional.of(ReadGuard.of(status.pid(), status.guard()));
        } catch (IOException e) {
            events.fallback(TOPIC, "reads that wait for parts of files fail now: " + Events.reason(e));
            endHung(control, events);
            return Optional.empty();
        }
    }

    /** As long as it lives, the kernel asks the guard that it keeps, and nobody answers. */
    private static void endHung(Path control, Events events) {
        try {
            SocketOwner.of(control).ifPresent(gate -> {
                events.fallback(TOPIC, "killing the gate, process " + gate.pid() + ": it does not say what it keeps");
                gate.destroyForcibly();
                var _ = gate.onExit()
                        .orTimeout(END.toMillis(), TimeUnit.MILLISECONDS)
                        .exceptionally(_ -> gate)
                        .join();
            });
        } catch (IOException e) {
            events.error(TOPIC, "the gate that does not answer was not found: " + Events.reason(e));
        }
    }

    private void ready() {
        giveGuard();
        state.ready();
        if (config.warmUp()) {
            new GateWarmUp(config.mount(), events).start();
        }
    }

    private ProcessHandle startAnew(boolean died) throws IOException, InterruptedException {
        paths.prepare(false);
        Started started = processes.start(List.of());
        kept.take(started.status());
        events.info(TOPIC, "started the gate, process " + started.process().pid());
        leaveOldGate(died);
        ready();
        return started.process().toHandle();
    }

    /** Makes room for a gate with other options; true when the old one continues for its containers. */
    private boolean leave(ProcessHandle gate, GateStatus status, String reason)
            throws IOException, InterruptedException {
        boolean alone = status.images().isEmpty() && paths.isMounted();
        if (kept.isThere() && alone && status.mount().equals(config.mount().toString())) {
            events.info(TOPIC, "replacing a gate that " + reason);
            processes.end(gate);
            return false;
        }
        kept.drop();
        return retire(reason);
    }

    /** Before the new gate is reported: mounts on the old one must not be used for it. */
    private void leaveOldGate(boolean died) {
        try {
            replaced.replaced(died);
        } catch (RuntimeException e) {
            events.error(TOPIC, "not everything was moved from the old gate to the new one: " + Events.reason(e));
        }
    }

    /** The status of a gate that accepts connections; empty when it did not answer for long enough, and was killed. */
    private Optional<GateStatus> awaitStatus() throws IOException, InterruptedException {
        for (int i = 0; i < config.probeFailures(); i++) {
            Optional<GateStatus> status = control.status(config.probeLimit());
            if (status.isPresent()) {
                return status;
            }
            checkOpen();
        }
        if (!control.isServed()) {
            return Optional.empty();
        }
        long waited = config.probeLimit().multipliedBy(config.probeFailures()).toMillis();
        ProcessHandle hung = SocketOwner.of(config.control())
                .orElseThrow(
                        () -> new IOException("a process serves " + config.control() + " but did not answer within "
                                + waited + " ms, and its process ID is unknown; find and end that process"));
        processes.kill(hung, "its control socket does not answer");
        return Optional.empty();
    }

    /** Why a gate that answers cannot be adopted; empty when it can. */
    private Optional<String> unfit(GateStatus status) throws IOException {
        if (!status.registry().equals(config.registry())
                || !status.mount().equals(config.mount().toString())) {
            return Optional.of("was started for another registry or directory");
        }
        Optional<String> images = config.images().map(Path::toString);
        if (images.isPresent() && !status.images().map(GateStatus.Images::path).equals(images)) {
            return Optional.of("does not serve root file systems at " + images.get());
        }
        return paths.isMounted() ? Optional.empty() : Optional.of("lost its mount at " + config.mount());
    }

    /** Leaves a gate to the containers that use it; false when it had to be stopped. */
    private boolean retire(String reason) {
        try {
            control.retire();
            events.fallback(TOPIC, "retired a gate that " + reason + ": it ends with the last container on it");
            return true;
        } catch (IOException e) {
            events.fallback(TOPIC, "stopping a gate that " + reason + " and cannot be retired: " + Events.reason(e));
            control.stop();
            return false;
        }
    }

    @Override
    public void await(Duration limit) throws IOException {
        state.await(limit);
    }

    @Override
    public Optional<String> downFor(Duration span) {
        return state.downFor(span);
    }

    /** The gate's status; empty when it does not answer in time. */
    public Optional<GateStatus> status() {
        return control.status(config.statusLimit());
    }

    /** Whether it answers, how often one was started, and why it is down. */
    public GateSupervision supervision() {
        return state.supervision();
    }

    /** Ends the gate too: containers that lack objects cannot read them any more. Bounded. */
    public void stopGate() {
        control.stop();
    }

    /** Ends the supervision; the gate continues. No gate is started afterwards. */
    @Override
    public void close() {
        closing = true;
        Thread supervision = thread;
        if (supervision == null) {
            return;
        }
        supervision.interrupt();
        try {
            if (!supervision.join(END)) {
                events.error(TOPIC, "the supervision of the gate has not ended after " + END.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
