package io.faasimage.node.gate;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.event.Events;
import io.faasimage.node.lazy.GateReadiness;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
    private static final String TOPIC = "gate";
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration LONG_LIFE = Duration.ofMinutes(1);
    /** Gates in a row that die soon, before a request is suspected of killing them. */
    private static final int MOST_SHORT_LIVES = 10;

    private final GateConfig config;
    private final Events events;
    private final Replacement replaced;
    private final GateProbe probe;
    private final KeptConnection kept;
    private final Thread thread;
    private boolean ready;
    private long downSince = System.nanoTime();
    private String problem = "it is being started";
    private int starts;
    private int shortLives;
    private volatile boolean closing;

    /** What is done when a new gate answers in the place of an old one. */
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

    /** Not started yet. */
    public GateSupervisor(GateConfig config, Events events, Replacement replaced) {
        this.config = config;
        this.events = events;
        this.replaced = replaced;
        this.probe = new GateProbe(config);
        this.kept = new KeptConnection(events);
        this.thread = Thread.ofPlatform().name("gate").daemon().unstarted(() -> {
            supervise();
            kept.drop();
        });
    }

    /** Begins; returns at once. */
    public void start() {
        thread.start();
    }

    private void supervise() {
        Backoff backoff = new Backoff(config.firstBackoff(), config.longestBackoff(), new SplittableRandom());
        while (!closing) {
            long begin = System.nanoTime();
            try {
                watch(adoptOrStart());
            } catch (IOException e) {
                failed(Events.reason(e));
            } catch (InterruptedException e) {
                return;
            }
            if (closing) {
                return;
            }
            boolean lived = System.nanoTime() - begin > LONG_LIFE.toNanos();
            shortLives = lived ? 0 : shortLives + 1;
            if (lived) {
                backoff.reset();
            }
            try {
                Thread.sleep(backoff.next());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private ProcessHandle adoptOrStart() throws IOException, InterruptedException {
        boolean served = ControlServer.isServed(config.control());
        Optional<JsonNode> status = served ? awaitStatus() : Optional.empty();
        boolean retired = false;
        if (status.isPresent()) {
            ProcessHandle gate = process(status.get())
                    .orElseThrow(() -> new IOException("the process that serves " + config.control() + " has ended"));
            kept.take(status.get());
            Optional<String> unfit = unfit(status.get());
            if (unfit.isEmpty()) {
                events.info(TOPIC, "adopted the running gate, process " + gate.pid());
                becameReady();
                return gate;
            }
            retired = leave(gate, status.get(), unfit.get());
        }
        if (shortLives > MOST_SHORT_LIVES || mounted(config.mount()).isEmpty()) {
            kept.drop();
        }
        return kept.isThere() ? goOn() : startAnew(!retired);
    }

    /**
     * Starts a gate with the connection of the one before; readers that wait get their answers from this one. When it
     * does not start, the connection is kept for the next.
     */
    private ProcessHandle goOn() throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process process = spawn();
        kept.isWith(awaitAnswer(process));
        events.info(
                TOPIC,
                "started the gate, process " + process.pid()
                        + ", which took over the mounts of the previous one after "
                        + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
        becameReady();
        return process.toHandle();
    }

    private ProcessHandle startAnew(boolean died) throws IOException, InterruptedException {
        Process process = spawn();
        kept.take(awaitAnswer(process));
        events.info(TOPIC, "started the gate, process " + process.pid());
        leaveOldGate(died);
        becameReady();
        return process.toHandle();
    }

    /** Makes room for a gate with other options; true when the old one continues for its containers. */
    private boolean leave(ProcessHandle gate, JsonNode status, String reason) throws IOException, InterruptedException {
        boolean alone = !status.has("images") && mounted(config.mount()).isPresent();
        if (kept.isThere() && alone && has(status, "mount", config.mount().toString())) {
            events.info(TOPIC, "replacing a gate that " + reason);
            end(gate);
            return false;
        }
        kept.drop();
        return retire(reason);
    }

    /** Before anybody is notified of the new gate: what is mounted on the old one must not be used for it. */
    private void leaveOldGate(boolean died) {
        try {
            replaced.replaced(died);
        } catch (RuntimeException e) {
            events.error(TOPIC, "not everything was moved from the old gate to the new one: " + Events.reason(e));
        }
    }

    /** The status of a gate that accepts connections; empty when it did not answer for long enough, and was killed. */
    private Optional<JsonNode> awaitStatus() throws IOException, InterruptedException {
        for (int i = 0; i < config.probeFailures(); i++) {
            Optional<JsonNode> status = status(config.probeLimit());
            if (status.isPresent()) {
                return status;
            }
        }
        if (!ControlServer.isServed(config.control())) {
            return Optional.empty();
        }
        ProcessHandle hung = SocketOwner.of(config.control())
                .orElseThrow(
                        () -> new IOException("a process serves " + config.control() + " but did not answer within "
                                + config.probeLimit()
                                        .multipliedBy(config.probeFailures())
                                        .toMillis()
                                + " ms, and its process ID is unknown; find and end that process"));
        kill(hung, "its control socket does not answer");
        return Optional.empty();
    }

    /** Why a gate that answers cannot be gone on with; empty when it can. */
    private Optional<String> unfit(JsonNode status) throws IOException {
        if (!has(status, "registry", config.registry())
                || !has(status, "mount", config.mount().toString())) {
            return Optional.of("was started for another registry or directory");
        }
        if (!has(status, "fast", config.fast().map(Path::toString).orElse(""))) {
            return Optional.of("was started with another fast tier");
        }
        if (config.images().isPresent()
                && !has(status, "images", config.images().get().toString())) {
            return Optional.of(
                    "does not serve root file systems at " + config.images().get());
        }
        return mounted(config.mount()).isEmpty()
                ? Optional.of("lost its mount at " + config.mount())
                : Optional.empty();
    }

    private static boolean has(JsonNode status, String field, String value) {
        return status.path(field).asString("").equals(value);
    }

    private static Optional<ProcessHandle> process(JsonNode status) {
        return ProcessHandle.of(status.path("pid").asLong(-1));
    }

    /** Leaves a gate to the containers that use it; false when it had to be stopped. */
    private boolean retire(String reason) {
        try {
            new ControlClient(config.control()).call("retire");
            events.fallback(TOPIC, "retired a gate that " + reason + ": it ends with the last container on it");
            return true;
        } catch (IOException e) {
            events.fallback(TOPIC, "stopping a gate that " + reason + " and cannot be retired: " + Events.reason(e));
            stopGate();
            return false;
        }
    }

    /** What is mounted where the gate should be; looked up below the real directory, as in the mount table. */
    private static Optional<MountTable.Entry> mounted(Path mount) throws IOException {
        Path parent = directoryOf(mount);
        Path real = Files.createDirectories(parent).toRealPath();
        return MountTable.read().at(real.resolve(parent.relativize(mount)));
    }

    private List<Path> mounts() {
        return config.images().isEmpty()
                ? List.of(config.mount())
                : List.of(config.mount(), config.images().get());
    }

    private Process spawn() throws IOException {
        Files.createDirectories(directoryOf(config.control()));
        // What a killed gate left: its mount answers every call with ENOTCONN.
        // One that is kept is not even looked at: the look would wait for the gate that is to be started.
        for (Path mount : mounts()) {
            if (!isKept(mount)) {
                while (mounted(mount).isPresent()) {
                    Mounts.detach(mount);
                }
                Files.createDirectories(mount);
            }
        }
        synchronized (this) {
            starts++;
        }
        try {
            return new ProcessBuilder(command())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "could not run '" + config.command().getFirst() + "'; check --gate-command: " + e.getMessage(), e);
        }
    }

    private boolean isKept(Path mount) {
        return kept.isThere() && mount.equals(config.mount());
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(config.command());
        command.addAll(kept.options());
        return command;
    }

    private JsonNode awaitAnswer(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + config.startLimit().toNanos();
        while (System.nanoTime() < end) {
            if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("the gate ended with code " + process.exitValue()
                        + " at its start; see its output for the reason");
            }
            Optional<JsonNode> answer = Files.exists(config.control())
                    ? status().filter(status -> isOf(process, status))
                    : Optional.empty();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        process.destroyForcibly();
        throw new IOException(
                "the gate did not answer within " + config.startLimit().toMillis() + " ms");
    }

    /** Whether {@code process}, or what its script started, gave the answer; an older gate may still be there. */
    private static boolean isOf(Process process, JsonNode answer) {
        long pid = answer.path("pid").asLong(-1);
        return process.pid() == pid || process.descendants().anyMatch(child -> child.pid() == pid);
    }

    /** Returns when the gate has ended, was killed because it hangs, or has to be looked at again. */
    private void watch(ProcessHandle gate) throws IOException, InterruptedException {
        CompletableFuture<ProcessHandle> exit = gate.onExit();
        int failures = 0;
        while (!closing) {
            if (ended(exit, failures == 0 ? config.probePause() : Duration.ZERO)) {
                failed("process " + gate.pid() + " ended");
                return;
            }
            GateProbe.Result result = probe.check();
            if (exit.isDone()) {
                continue;
            }
            switch (result) {
                case GateProbe.Result.Answers() -> {
                    if (failures > 0) {
                        events.info(TOPIC, "the gate answers again, process " + gate.pid());
                        becameReady();
                    }
                    failures = 0;
                    kept.check();
                }
                case GateProbe.Result.Hangs(String reason) -> {
                    failures++;
                    unready("process " + gate.pid() + " does not answer: " + reason);
                    if (failures >= config.probeFailures()) {
                        kill(gate, reason);
                        return;
                    }
                }
                case GateProbe.Result.Fails(String reason) -> {
                    failures++;
                    unready("process " + gate.pid() + " does not answer properly: " + reason);
                    if (failures >= config.probeFailures()) {
                        return;
                    }
                    ended(exit, config.probePause());
                }
            }
        }
    }

    private boolean ended(CompletableFuture<ProcessHandle> exit, Duration limit) throws InterruptedException {
        try {
            exit.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            events.info(TOPIC, "lost contact with the gate: " + e.getCause());
            return true;
        }
    }

    /** SIGKILL ends a stopped process too, and all that waits for it. */
    private void kill(ProcessHandle gate, String reason) throws IOException, InterruptedException {
        unready("process " + gate.pid() + " hangs: " + reason);
        events.error(TOPIC, "killing the gate, process " + gate.pid() + ", which hangs: " + reason);
        end(gate);
    }

    private void end(ProcessHandle gate) throws IOException, InterruptedException {
        gate.destroyForcibly();
        if (!ended(gate.onExit(), config.startLimit())) {
            throw new IOException("process " + gate.pid() + " does not end when it is killed");
        }
    }

    private synchronized void unready(String reason) {
        if (ready) {
            downSince = System.nanoTime();
            events.fallback(TOPIC, "planned containers wait for the gate: " + reason);
        }
        ready = false;
        problem = reason;
    }

    private void failed(String reason) {
        unready(reason);
        events.error(TOPIC, "the gate is down and will be started again: " + reason);
    }

    private synchronized void becameReady() {
        ready = true;
        notifyAll();
    }

    @Override
    public synchronized void await(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (!ready) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new IOException("the gate is not up after " + limit.toMillis() + " ms (" + problem
                        + "); see the log of node-manager for its output");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the gate", e);
            }
        }
    }

    @Override
    public synchronized Optional<String> downFor(Duration span) {
        return ready || System.nanoTime() - downSince < span.toNanos()
                ? Optional.empty()
                : Optional.of("the gate is down (" + problem + ")");
    }

    /** What the gate says of itself: its process, requests and fetches; empty when it does not answer in time. */
    public Optional<JsonNode> status() {
        return status(config.statusLimit());
    }

    private Optional<JsonNode> status(Duration limit) {
        return control("status", limit);
    }

    /** Empty when the gate does not answer within {@code limit}, or says that it cannot. */
    private Optional<JsonNode> control(String command, Duration limit) {
        try {
            return Optional.of(
                    TimedCall.run("gate-control", limit, () -> new ControlClient(config.control()).call(command)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Whether it answers, how often one was started, and why it is down. */
    public synchronized Map<String, Object> supervision() {
        return ready
                ? Map.of("ready", true, "starts", starts)
                : Map.of("ready", false, "starts", starts, "problem", problem);
    }

    /** How often a gate was started. */
    public synchronized long starts() {
        return starts;
    }

    /** Ends the gate too: containers that lack objects cannot read them any more. Bounded. */
    public void stopGate() {
        Optional<ProcessHandle> process = status().flatMap(GateSupervisor::process);
        control("stop", config.statusLimit());
        process.ifPresent(this::awaitEnd);
    }

    private void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(config.statusLimit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the supervision; the gate continues. */
    @Override
    public void close() {
        closing = true;
        thread.interrupt();
    }

    private static Path directoryOf(Path file) {
        @Nullable Path parent = file.getParent();
        return parent == null ? Path.of(".") : parent;
    }
}
