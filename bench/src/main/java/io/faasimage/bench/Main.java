package io.faasimage.bench;

import io.faasimage.api.rest.Json;
import io.faasimage.bench.chart.TotalsChart;
import io.faasimage.bench.delay.DelayProxy;
import io.faasimage.bench.prediction.PredictedShare;
import io.faasimage.bench.serving.ServingBench;
import io.faasimage.bench.serving.ServingConfig;
import io.faasimage.bench.serving.ServingResult;
import io.faasimage.bench.suite.SuiteBench;
import io.faasimage.bench.suite.SuiteConfig;
import io.faasimage.bench.suite.SuiteJson;
import io.faasimage.bench.suite.SuiteResult;
import io.faasimage.bench.suite.SuiteTable;
import io.faasimage.format.plan.PlanCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;

/**
 * The command {@code faasimage-bench}. Prints tables on standard output and progress on standard error. Exit codes: 0
 * measured, 1 failed, 2 wrong usage.
 */
@Command(
        name = "faasimage-bench",
        description = "Measures cold starts beside plain containerd, and a service under load.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {Main.Suite.class, Main.Serving.class, Main.Delay.class, Main.Coverage.class})
public final class Main {
    private Main() {}

    /** Runs the command line and exits. */
    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setExecutionExceptionHandler(Main::failed);
        commandLine.registerConverter(InetSocketAddress.class, Main::address);
        System.exit(commandLine.execute(args));
    }

    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult result) throws Exception {
        switch (failure) {
            case JacksonException e -> System.err.println("bench: not a configuration: " + e.getOriginalMessage());
            case IOException e -> System.err.println("bench: " + e.getMessage());
            case IllegalArgumentException e -> {
                System.err.println("bench: " + e.getMessage());
                return CommandLine.ExitCode.USAGE;
            }
            default -> throw failure;
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new CommandLine.TypeConversionException("'" + text + "' is not HOST:PORT");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static <T> T read(Path config, Class<T> type) throws IOException {
        return Json.mapper().readValue(Files.readAllBytes(config), type);
    }

    /** {@code faasimage-bench suite}. */
    @Command(name = "suite", description = "Cold starts of real functions, in turn.", mixinStandardHelpOptions = true)
    static final class Suite implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE", required = true, description = "What is measured.")
        private Path config;

        @Option(names = "--json", paramLabel = "FILE", required = true, description = "Where the figures go.")
        private Path json;

        @Option(names = "--chart", paramLabel = "BASE", description = "Draws BASE.svg and BASE.png.")
        private @Nullable Path chart;

        @Option(names = "--title", paramLabel = "TEXT", description = "Of the chart.", defaultValue = "Cold starts")
        private String title;

        @Override
        public Integer call() throws IOException, InterruptedException {
            SuiteResult result = new SuiteBench(read(config, SuiteConfig.class), System.err).run();
            Files.writeString(json, SuiteJson.format(result));
            System.out.print(SuiteTable.format(result));
            if (chart != null && !result.series().isEmpty()) {
                new TotalsChart(result, title).write(chart);
            }
            return result.failures().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** {@code faasimage-bench serving}. */
    @Command(name = "serving", description = "Many pulls from one service.", mixinStandardHelpOptions = true)
    static final class Serving implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE", required = true, description = "What is measured.")
        private Path config;

        @Option(names = "--json", paramLabel = "FILE", description = "Where the figures go.")
        private @Nullable Path json;

        @Override
        public Integer call() throws IOException, InterruptedException {
            ServingResult result = new ServingBench(read(config, ServingConfig.class), System.err).run();
            if (json != null) {
                Files.writeString(json, Json.mapper().writeValueAsString(result));
            }
            System.out.print(result.table());
            return result.pulls().failed() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** {@code faasimage-bench coverage}. */
    @Command(
            name = "coverage",
            description = "Compares a predicted plan with the one from a trace, as JSON.",
            mixinStandardHelpOptions = true)
    static final class Coverage implements Callable<Integer> {
        @Option(names = "--predicted", paramLabel = "FILE", required = true, description = "The predicted plan.")
        private Path predicted;

        @Option(names = "--traced", paramLabel = "FILE", required = true, description = "The plan from a trace.")
        private Path traced;

        @Override
        public Integer call() throws IOException {
            PredictedShare share = PredictedShare.of(
                    PlanCodec.decode(Files.readAllBytes(predicted)), PlanCodec.decode(Files.readAllBytes(traced)));
            System.out.println(Json.mapper().writeValueAsString(share));
            return CommandLine.ExitCode.OK;
        }
    }

    /** {@code faasimage-bench delay}. */
    @Command(
            name = "delay",
            description = "Stands between a client and a server, and delays what they say, until it is killed.",
            mixinStandardHelpOptions = true)
    static final class Delay implements Callable<Integer> {
        @Option(names = "--round-trip", paramLabel = "MILLIS", required = true, description = "The delay of both ways.")
        private int roundTrip;

        @Option(names = "--listen", paramLabel = "HOST:PORT", required = true, description = "For clients.")
        private InetSocketAddress listen;

        @Option(names = "--target", paramLabel = "HOST:PORT", required = true, description = "The server.")
        private InetSocketAddress target;

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (DelayProxy proxy = new DelayProxy(listen, target, Duration.ofMillis(roundTrip))) {
                System.err.println("delay: listening at port " + proxy.port());
                Thread.currentThread().join();
            }
            return CommandLine.ExitCode.OK;
        }
    }
}
