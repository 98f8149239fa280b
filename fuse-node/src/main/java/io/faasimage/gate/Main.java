package io.faasimage.gate;

import io.faasimage.api.log.JsonLogFormat;
import io.faasimage.api.option.OptionParser;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The main class of a gate, which runs until it is stopped by its control socket, SIGTERM or SIGINT. */
public final class Main {
    private static final Logger LOG = System.getLogger(Main.class.getName());

    /** Time for the answer to {@code stop} to reach the caller. */
    private static final long FAREWELL_MILLIS = 100;

    private Main() {}

    /** Exit codes: 0 stopped as requested, 1 failed or lost its mount, 2 wrong options. */
    public static void main(String[] arguments) {
        JsonLogFormat.installIfWanted();
        List<String> list = List.of(arguments);
        if (OptionParser.wantsHelp(list)) {
            System.out.println(Options.PARSER.help());
            return;
        }
        System.exit(run(list));
    }

    private static int run(List<String> arguments) {
        GateConfig config;
        try {
            config = Options.parse(arguments);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("faasimage-gate: " + e.getMessage());
            return 2;
        }
        CompletableFuture<GateProcess> started = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started), "shutdown"));
        try (GateProcess process = new GateProcess(config)) {
            started.complete(process);
            if (process.awaitEnd()) {
                TimeUnit.MILLISECONDS.sleep(FAREWELL_MILLIS);
                return 0;
            }
            LOG.log(Level.ERROR, "the mount at " + config.mount() + " has ended; it was unmounted");
            return 1;
        } catch (IOException | RuntimeException e) {
            System.err.println("faasimage-gate: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            started.cancel(false);
        }
    }

    /** Also of a gate that has its mount and has not started yet. */
    private static void close(CompletableFuture<GateProcess> started) {
        try {
            started.join().close();
        } catch (CancellationException e) {
            // It could not start, and nothing is left of it.
        }
    }
}
