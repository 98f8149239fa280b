package io.faasimage.node;

import io.faasimage.api.log.JsonLogFormat;
import io.faasimage.api.option.OptionParser;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The main class of the node agent, which runs until it is stopped by its control socket, SIGTERM or SIGINT. */
public final class Main {
    private static final Logger LOG = System.getLogger(Main.class.getName());

    private Main() {}

    /** Exit codes: 0 stopped as requested, 1 could not start, 2 wrong options. */
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
        NodeConfig config;
        try {
            config = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("faasimage-node: " + e.getMessage());
            return 2;
        }
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean gateToo = new AtomicBoolean();
        try (Node node = new Node(config, withGate -> {
            gateToo.set(withGate);
            over.countDown();
        })) {
            Runtime.getRuntime().addShutdownHook(new Thread(node::close, "shutdown"));
            LOG.log(
                    Level.INFO,
                    "ready: snapshotter at {0}, control at {1}",
                    config.snapshotterSocket(),
                    config.nodeSocket());
            over.await();
            if (gateToo.get()) {
                node.stopGate();
            }
            return 0;
        } catch (IOException | RuntimeException e) {
            System.err.println("faasimage-node: " + e.getMessage());
            LOG.log(Level.DEBUG, "the failure", e);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
