package io.faasimage.bench;

import io.faasimage.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;

/** {@code coldstart --config FILE [--json FILE]}. Exit codes: 0 measured, 1 failed, 2 wrong usage. */
public final class Main {
    private static final String USAGE = "usage: coldstart --config FILE [--json FILE]";

    private Main() {}

    /** Measures, prints the table on standard output and progress on standard error. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) throws InterruptedException {
        boolean withJson = args.size() == 5 && args.get(3).equals("--json");
        if (!(args.size() == 3 || withJson)
                || !args.get(0).equals("coldstart")
                || !args.get(1).equals("--config")) {
            System.err.println(USAGE);
            return 2;
        }
        Path file = Path.of(args.get(2));
        try {
            BenchConfig config = Json.mapper().readValue(Files.readAllBytes(file), BenchConfig.class);
            BenchResult result = new ColdStartBench(config, System.err).run();
            if (withJson) {
                Files.writeString(Path.of(args.get(4)), Report.json(result));
            }
            System.out.print(Report.table(result));
            return 0;
        } catch (JacksonException e) {
            System.err.println("bench: " + file + " is not a configuration: " + e.getOriginalMessage());
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
        }
        return 1;
    }
}
