package io.faasimage.bench;

import io.faasimage.api.rest.Json;
import io.faasimage.bench.chart.TotalsChart;
import io.faasimage.bench.delay.DelayProxy;
import io.faasimage.bench.serving.ServingBench;
import io.faasimage.bench.serving.ServingConfig;
import io.faasimage.bench.serving.ServingResult;
import io.faasimage.bench.suite.SuiteBench;
import io.faasimage.bench.suite.SuiteConfig;
import io.faasimage.bench.suite.SuiteJson;
import io.faasimage.bench.suite.SuiteResult;
import io.faasimage.bench.suite.SuiteTable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;

/** Exit codes: 0 measured, 1 failed, 2 wrong usage. */
public final class Main {
    private static final String USAGE = """
            usage: suite --config FILE --json FILE [--chart BASE [--title TEXT]]   the chart is BASE.svg and BASE.png
                   serving --config FILE [--json FILE]
                   delay --round-trip MILLIS --listen HOST:PORT --target HOST:PORT   until it is killed""";

    private Main() {}

    /** Measures, prints the table on standard output and progress on standard error. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) throws InterruptedException {
        try {
            Options options = Options.parse(args);
            switch (options.command()) {
                case "suite" -> {
                    return suite(options);
                }
                case "serving" -> {
                    return serving(options);
                }
                case "delay" -> delay(options);
                default -> throw new IllegalArgumentException("unknown command '" + options.command() + "'");
            }
            return 0;
        } catch (JacksonException e) {
            System.err.println("bench: not a configuration: " + e.getOriginalMessage());
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage() + System.lineSeparator() + USAGE);
            return 2;
        }
        return 1;
    }

    private static int suite(Options options) throws IOException, InterruptedException {
        options.allow(List.of("--config", "--json", "--chart", "--title"));
        Path json = Path.of(options.get("--json"));
        SuiteResult result = new SuiteBench(read(options, SuiteConfig.class), System.err).run();
        Files.writeString(json, SuiteJson.format(result));
        System.out.print(SuiteTable.format(result));
        if (options.has("--chart") && !result.series().isEmpty()) {
            new TotalsChart(result, options.has("--title") ? options.get("--title") : "Cold starts")
                    .write(Path.of(options.get("--chart")));
        }
        return result.failures().isEmpty() ? 0 : 1;
    }

    private static int serving(Options options) throws IOException, InterruptedException {
        options.allow(List.of("--config", "--json"));
        ServingResult result = new ServingBench(read(options, ServingConfig.class), System.err).run();
        if (options.has("--json")) {
            Files.writeString(Path.of(options.get("--json")), Json.mapper().writeValueAsString(result));
        }
        System.out.print(result.table());
        return result.pulls().failed() == 0 ? 0 : 1;
    }

    private static void delay(Options options) throws IOException, InterruptedException {
        options.allow(List.of("--round-trip", "--listen", "--target"));
        Duration roundTrip = Duration.ofMillis(Integer.parseInt(options.get("--round-trip")));
        try (DelayProxy proxy =
                new DelayProxy(address(options.get("--listen")), address(options.get("--target")), roundTrip)) {
            System.err.println("delay: listening at port " + proxy.port());
            Thread.currentThread().join();
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static <T> T read(Options options, Class<T> type) throws IOException {
        return Json.mapper().readValue(Files.readAllBytes(Path.of(options.get("--config"))), type);
    }

    /**
     * The command line, taken apart.
     *
     * @param command the first word
     * @param values by option
     */
    private record Options(String command, Map<String, String> values) {
        static Options parse(List<String> args) {
            if (args.size() % 2 == 0) {
                throw new IllegalArgumentException("a command and options with values are needed");
            }
            Map<String, String> values = new HashMap<>();
            for (int i = 1; i < args.size(); i += 2) {
                if (values.put(args.get(i), args.get(i + 1)) != null) {
                    throw new IllegalArgumentException(args.get(i) + " is given twice");
                }
            }
            return new Options(args.getFirst(), Map.copyOf(values));
        }

        void allow(List<String> names) {
            values.keySet().stream()
                    .filter(name -> !names.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new IllegalArgumentException("unknown option '" + name + "'");
                    });
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        String get(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return value;
        }
    }
}
