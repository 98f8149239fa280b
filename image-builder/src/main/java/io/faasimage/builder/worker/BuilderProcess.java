package io.faasimage.builder.worker;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.concurrent.Backoff;
import io.faasimage.builder.BuilderConfig;
import io.faasimage.builder.ImageBuilder;
import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.BuilderSettings;
import io.faasimage.builder.protocol.LeaseRequest;
import io.faasimage.builder.protocol.LeftoversReport;
import io.faasimage.builder.protocol.ProtocolJson;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.refactor.host.HostNames;
import io.faasimage.refactor.host.HostRules;
import io.faasimage.refactor.image.SourceOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A builder: threads that ask the services for builds, one for each build that may run at the same time, and one that
 * checks archives whose senders wait. The directory has one builder at a time, as each removes at its start what the
 * one before left. Thread-safe.
 */
final class BuilderProcess implements AutoCloseable {
    private static final Logger LOG = System.getLogger(BuilderProcess.class.getName());
    private static final Duration LOCK_WAIT = Duration.ofSeconds(30);
    private static final Duration STOP_WAIT = Duration.ofSeconds(15);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How long a service may keep a request for a build; shorter where several are asked in turn. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final Duration SHORT_WAIT = Duration.ofMillis(500);

    private final WorkerConfig config;
    private final String name;
    private final FileChannel lockFile;
    /** A client each: a build is known only to the service that has its archive. */
    private final List<ServiceClient> services;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /** Takes the directory, for which the builder before has half a minute to end. */
    BuilderProcess(WorkerConfig config) throws IOException, InterruptedException {
        this.config = config;
        this.name = config.name();
        this.lockFile = lock(config.data());
        this.services = config.services().stream()
                .map(address -> new ServiceClient(
                        ServiceConfig.of(address, config.token()).withTransport(config.transport())))
                .toList();
    }

    private static FileChannel lock(Path data) throws IOException, InterruptedException {
        Path file = data.resolve("lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        long last = System.nanoTime() + LOCK_WAIT.toNanos();
        @Nullable FileLock lock = channel.tryLock();
        while (lock == null && System.nanoTime() < last) {
            Thread.sleep(FIRST_PAUSE);
            lock = channel.tryLock();
        }
        if (lock == null) {
            channel.close();
            throw new IOException(
                    "another faasimage-builder uses " + data + "; end it, or choose another directory with --data");
        }
        return channel;
    }

    /** Runs until {@link #close}. */
    void run() throws IOException, InterruptedException {
        BuilderSettings settings = settings();
        Path source = Files.createDirectories(
                config.data().resolve("source"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        ImageBuilder builder = new ImageBuilder(builderConfig(settings));
        BuildLeftovers leftovers =
                new BuildLeftovers(List.of(removalOf(source), builder::removeLeftovers), this::report);
        Thread.ofPlatform().daemon().name("build-leftovers").start(leftovers::remove);
        TaskRunner runner = new TaskRunner(builder, source, settings.archives());
        synchronized (threads) {
            for (int i = 0; i < settings.workers(); i++) {
                add("build-" + i, BuildTask.Kind.BUILD, runner);
            }
            add("check", BuildTask.Kind.CHECK, runner);
        }
        LOG.log(Level.INFO, "ready: takes builds of {0} as ''{1}'', {2}", config.services(), name, settings);
        for (Thread thread : List.copyOf(threads)) {
            thread.join();
        }
    }

    private void add(String thread, BuildTask.Kind kind, TaskRunner runner) {
        threads.add(Thread.ofPlatform().name(thread).start(() -> work(kind, runner)));
    }

    /** What killed builders left; its names are listed before new builds come. */
    private static BuildLeftovers.Removal removalOf(Path source) throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(source)) {
            all.forEach(left::add);
        }
        return () -> FileTree.removeAll(left, FileTree::remove);
    }

    private BuilderSettings settings() throws InterruptedException {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
        while (true) {
            try {
                return ProtocolJson.decode(services.getFirst().builder().settings(), BuilderSettings.class);
            } catch (IOException | IllegalArgumentException e) {
                LOG.log(Level.WARNING, "could not get the settings of builds, next attempt follows: " + e.getMessage());
            }
            Thread.sleep(pauses.next());
        }
    }

    private BuilderConfig builderConfig(BuilderSettings settings) {
        BuilderSettings.Registries registries = settings.registries();
        return new BuilderConfig(
                config.data().resolve("roots"),
                settings.keptRoots(),
                settings.maxRootBytes(),
                config.data().resolve("layers"),
                settings.keptLayers(),
                settings.layerAge(),
                config.data().resolve("work"),
                config.runc(),
                config.watchdog(),
                settings.limits(),
                settings.environment(),
                EgressRules.parse(settings.egress()),
                SourceOptions.defaults()
                        .withRules(new HostRules(
                                new HostNames(registries.allowed()),
                                new HostNames(registries.insecure()),
                                new HostNames(registries.internal()),
                                registries.refused()))
                        .withBudget(settings.budget())
                        .withLogins(new TaskLogins()));
    }

    private void work(BuildTask.Kind kind, TaskRunner runner) {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
        while (!closed) {
            try {
                boolean answered = false;
                for (ServiceClient service : services) {
                    answered |= take(service, kind, services.size() == 1 ? WAIT : SHORT_WAIT, runner);
                }
                if (answered) {
                    pauses.reset();
                } else {
                    Thread.sleep(pauses.next());
                }
            } catch (InterruptedException e) {
                // Closed, or the task was given up.
            }
        }
    }

    /** Asks one service, and does what it says; false when it does not answer. */
    private boolean take(ServiceClient service, BuildTask.Kind kind, Duration wait, TaskRunner runner)
            throws InterruptedException {
        Optional<BuildTask> task;
        try {
            task = service.builder()
                    .lease(ProtocolJson.encode(new LeaseRequest(name, kind, wait.toMillis())))
                    .map(json -> ProtocolJson.decode(json, BuildTask.class));
        } catch (IOException | IllegalArgumentException e) {
            if (!closed) {
                LOG.log(Level.WARNING, "could not ask for builds: " + e.getMessage());
            }
            return false;
        }
        if (task.isPresent() && !closed) {
            runner.run(service.builder(), task.get(), () -> closed);
        }
        return true;
    }

    private void report(String text) throws IOException {
        services.getFirst().builder().leftovers(ProtocolJson.encode(new LeftoversReport(text)));
    }

    /** Interrupts what runs, which is given back to its service, and waits for its end. */
    @Override
    public void close() {
        synchronized (threads) {
            if (closed) {
                return;
            }
            closed = true;
            threads.forEach(Thread::interrupt);
        }
        long last = System.nanoTime() + STOP_WAIT.toNanos();
        try {
            for (Thread thread : List.copyOf(threads)) {
                if (!thread.join(Duration.ofNanos(Math.max(1, last - System.nanoTime())))) {
                    LOG.log(Level.WARNING, "a build does not end; its container is removed at the next start");
                }
            }
            services.forEach(ServiceClient::close);
            lockFile.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not release the directory; the end of the process does: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
