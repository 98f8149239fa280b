package io.faasimage.docker.daemon;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs the daemon until SIGTERM or SIGINT. */
public final class Main {
    private static final Logger LOG = System.getLogger(Main.class.getName());

    private Main() {}

    /** Exit codes: 0 stopped as told, 1 could not start, 2 wrong options. */
    public static void main(String[] arguments) {
        List<String> list = List.of(arguments);
        if (list.contains("--help") || list.contains("-h")) {
            System.out.println(Options.USAGE);
            return;
        }
        System.exit(run(list));
    }

    private static int run(List<String> arguments) {
        DaemonConfig config;
        try {
            config = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("faasimage-docker-daemon: " + e.getMessage());
            return 2;
        }
        try (Daemon daemon = new Daemon(config)) {
            Runtime.getRuntime().addShutdownHook(new Thread(daemon::close, "shutdown"));
            LOG.log(Level.INFO, "ready at {0}", config.socket());
            new CountDownLatch(1).await();
            return 0;
        } catch (IOException | RuntimeException e) {
            System.err.println("faasimage-docker-daemon: " + e.getMessage());
            LOG.log(Level.DEBUG, "the failure", e);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
