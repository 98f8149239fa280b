package io.faasimage.registry.build;

import io.faasimage.api.concurrent.Backoff;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.identity.EmbeddedBuilderToken;
import io.faasimage.registry.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The builder that this process starts, where no other is configured: a {@code faasimage-builder} in a process of its
 * own, which is started again, with longer and longer pauses, when it has ended. It gets its token by its standard
 * input, whose end ends it, and none of this process's variables but those that programs need. One thread supervises
 * it.
 */
@Component
class EmbeddedBuilder implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBuilder.class);
    private static final String MAIN = "io.faasimage.builder.worker.Main";
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** One that has lived so long is started again without a longer pause. */
    private static final Duration SOUND = Duration.ofMinutes(2);

    private static final int STOP_SECONDS = 20;

    private static final Set<String> VARIABLES = Set.of(
            "path",
            "home",
            "lang",
            "lc_all",
            "tz",
            "tmpdir",
            "xdg_runtime_dir",
            "malloc_arena_max",
            "http_proxy",
            "https_proxy",
            "no_proxy");

    private final BuildSettings settings;
    private final RegistrySettings service;
    private final BuildFiles files;
    private final BuilderPort port;
    private final BuildQueue queue;
    private final EmbeddedBuilderToken token;
    private final EventLog events;
    private volatile boolean running;
    private @Nullable Thread supervisor;

    EmbeddedBuilder(
            BuildSettings settings,
            RegistrySettings service,
            BuildFiles files,
            BuilderPort port,
            BuildQueue queue,
            EmbeddedBuilderToken token,
            EventLog events) {
        this.settings = settings;
        this.service = service;
        this.files = files;
        this.port = port;
        this.queue = queue;
        this.token = token;
        this.events = events;
    }

    /** After the web server, which the builder calls. */
    @Override
    public void start() {
        running = true;
        if (settings.startsBuilder()) {
            supervisor = Thread.ofPlatform().daemon().name("builder").start(this::supervise);
        }
    }

    private void supervise() {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
        try {
            while (running) {
                long started = System.nanoTime();
                String end = runOnce();
                if (!running) {
                    return;
                }
                if (System.nanoTime() - started > SOUND.toNanos()) {
                    pauses.reset();
                }
                Duration pause = pauses.next();
                report("the builder has ended (" + end + "), it starts again in " + pause.toMillis()
                        + " ms; the service's log has what it printed");
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            // Stopped.
        }
    }

    private void report(String text) {
        LOG.error(text);
        try {
            events.builds("builder", EventInfo.Severity.ERROR, text);
        } catch (DataAccessException e) {
            LOG.warn("could not report an event to the database: {}: {}", text, e.toString());
        }
    }

    /** Runs one builder to its end, of which it returns a description. */
    private String runOnce() throws InterruptedException {
        String name = "embedded " + UUID.randomUUID();
        try {
            ProcessBuilder builder = new ProcessBuilder(command(name)).redirectErrorStream(true);
            builder.environment().keySet().removeIf(variable -> !VARIABLES.contains(variable.toLowerCase(Locale.ROOT)));
            Process process = builder.start();
            try (OutputStream lifeline = process.getOutputStream()) {
                lifeline.write((token.text() + "\n").getBytes(StandardCharsets.US_ASCII));
                lifeline.flush();
                Thread.ofPlatform().daemon().name("builder-log").start(() -> log(process));
                return "exit code " + process.waitFor();
            } finally {
                end(process);
            }
        } catch (IOException e) {
            return e.toString();
        } finally {
            queue.gone(name);
        }
    }

    private List<String> command(String name) {
        List<String> command = JavaCommand.of(List.of("-XX:TieredStopAtLevel=1", "-Xms16m", "-Xmx256m"), MAIN);
        command.addAll(List.of(
                "--registry",
                port.address().toString(),
                "--supervised",
                "yes",
                "--name",
                name,
                "--data",
                files.embedded().toString(),
                "--runc",
                settings.runc()));
        add(command, "--of-watchdog", settings.ofWatchdog());
        add(command, "--registry-ca", service.registryCa());
        return command;
    }

    private static void add(List<String> command, String option, @Nullable Path file) {
        if (file != null) {
            command.add(option);
            command.add(file.toString());
        }
    }

    private static void log(Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LOG.info("{}", line);
            }
        } catch (IOException e) {
            LOG.warn("what the builder prints cannot be read: {}", e.toString());
        }
    }

    /** Waits for the end of a process whose standard input is closed, and kills it after {@value #STOP_SECONDS} s. */
    private static void end(Process process) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the builder does not end, it is killed; what it leaves is removed at the next start");
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        running = false;
        @Nullable Thread thread = supervisor;
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join(Duration.ofSeconds(STOP_SECONDS + 5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Ends after the builds, which have failed then and are not given back. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 1;
    }
}
