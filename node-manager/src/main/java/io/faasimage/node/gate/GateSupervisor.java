package io.faasimage.node.gate;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.GateReadiness;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps the gate's process alive: adopts one that lives, starts one otherwise, and starts another when it dies. Its own
 * thread does the work. The gate outlives this process on purpose: containers go on while the agent is exchanged.
 */
public final class GateSupervisor implements GateReadiness, AutoCloseable {
    private static final String TOPIC = "gate";
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration LONG_LIFE = Duration.ofMinutes(1);

    private final GateConfig config;
    private final Events events;
    private final Runnable replaced;
    private final Thread thread;
    private boolean ready;
    private long downSince = System.nanoTime();
    private String problem = "it is being started";
    private int starts;
    private volatile boolean closing;

    /**
     * Not started yet.
     *
     * @param replaced called on the supervisor's thread when a new gate answers in the place of an old one, before anybody is told
     */
    public GateSupervisor(GateConfig config, Events events, Runnable replaced) {
        this.config = config;
        this.events = events;
        this.replaced = replaced;
        this.thread = Thread.ofPlatform().name("gate").daemon().unstarted(this::supervise);
    }

    /** Begins; returns at once. */
    public void start() {
        thread.start();
    }

    private void supervise() {
        Duration backoff = config.firstBackoff();
        while (!closing) {
            long begin = System.nanoTime();
            try {
                ProcessHandle gate = adoptOrStart();
                waitForEnd(gate);
            } catch (IOException e) {
                failed(Events.reason(e));
            } catch (InterruptedException e) {
                return;
            }
            if (closing) {
                return;
            }
            boolean lived = System.nanoTime() - begin > LONG_LIFE.toNanos();
            backoff = lived ? config.firstBackoff() : shorter(backoff.multipliedBy(2), config.longestBackoff());
            try {
                Thread.sleep(backoff);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private ProcessHandle adoptOrStart() throws IOException, InterruptedException {
        Optional<ProcessHandle> living = living();
        if (living.isPresent()) {
            events.info(
                    TOPIC, "adopted the running gate, process " + living.get().pid());
            becameReady();
            return living.get();
        }
        Process process = spawn();
        awaitAnswer(process);
        events.info(TOPIC, "started the gate, process " + process.pid());
        leaveOldGate();
        becameReady();
        return process.toHandle();
    }

    /** Before anybody is told of the new gate: what is mounted on the old one must not be used for it. */
    private void leaveOldGate() {
        try {
            replaced.run();
        } catch (RuntimeException e) {
            events.error(TOPIC, "not everything was moved from the old gate to the new one: " + Events.reason(e));
        }
    }

    /**
     * The gate that can be gone on with.
     *
     * @throws IOException when there is one that does not answer now: containers may be using it, so it is left alone
     */
    private Optional<ProcessHandle> living() throws IOException {
        Optional<JsonNode> status = status();
        if (status.isEmpty()) {
            if (ControlServer.isServed(config.control())) {
                throw new IOException("a process serves " + config.control() + " but did not answer within "
                        + config.statusLimit().toMillis() + " ms; it is asked again");
            }
            return Optional.empty();
        }
        JsonNode answer = status.get();
        if (!answer.path("registry").asString("").equals(config.registry())
                || !answer.path("mount").asString("").equals(config.mount().toString())) {
            events.fallback(TOPIC, "stopping a gate that was started for another registry or directory");
            stopGate();
            return Optional.empty();
        }
        if (!answer.path("fast")
                .asString("")
                .equals(config.fast().map(Path::toString).orElse(""))) {
            events.fallback(TOPIC, "stopping a gate that was started with another fast tier");
            stopGate();
            return Optional.empty();
        }
        if (config.images().isPresent()
                && !answer.path("images")
                        .asString("")
                        .equals(config.images().get().toString())) {
            events.fallback(
                    TOPIC,
                    "stopping a gate that does not show root file systems at "
                            + config.images().get());
            stopGate();
            return Optional.empty();
        }
        if (mounted(config.mount()).isEmpty()) {
            events.fallback(TOPIC, "stopping a gate whose mount at " + config.mount() + " is gone");
            stopGate();
            return Optional.empty();
        }
        return ProcessHandle.of(answer.path("pid").asLong(-1));
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
        for (Path mount : mounts()) {
            while (mounted(mount).isPresent()) {
                Mounts.detach(mount);
            }
            Files.createDirectories(mount);
        }
        synchronized (this) {
            starts++;
        }
        try {
            return new ProcessBuilder(config.command())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "could not run '" + config.command().getFirst() + "'; check --gate-command: " + e.getMessage(), e);
        }
    }

    private void awaitAnswer(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + config.startLimit().toNanos();
        while (System.nanoTime() < end) {
            if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "the gate ended with code " + process.exitValue() + " at its start; its output tells why");
            }
            if (Files.exists(config.control())
                    && status().filter(answer -> isOf(process, answer)).isPresent()) {
                return;
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

    private void waitForEnd(ProcessHandle gate) throws InterruptedException {
        try {
            gate.onExit().get();
        } catch (ExecutionException e) {
            events.info(TOPIC, "lost sight of the gate: " + e.getCause());
        }
        if (!closing) {
            failed("process " + gate.pid() + " ended");
        }
    }

    private void failed(String reason) {
        synchronized (this) {
            if (ready) {
                downSince = System.nanoTime();
            }
            ready = false;
            problem = reason;
        }
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
        FutureTask<JsonNode> task = new FutureTask<>(() -> new ControlClient(config.control()).call("status"));
        return bounded(task);
    }

    private Optional<JsonNode> bounded(FutureTask<JsonNode> task) {
        Thread.ofVirtual().name("gate-control").start(task);
        try {
            return Optional.of(task.get(config.statusLimit().toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            return Optional.empty();
        } catch (TimeoutException e) {
            task.cancel(true);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
        Optional<ProcessHandle> process =
                status().flatMap(answer -> ProcessHandle.of(answer.path("pid").asLong(-1)));
        FutureTask<JsonNode> stop = new FutureTask<>(() -> new ControlClient(config.control()).call("stop"));
        bounded(stop);
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

    /** Ends the supervision; the gate goes on. */
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
