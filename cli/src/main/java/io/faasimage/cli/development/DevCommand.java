package io.faasimage.cli.development;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.cli.command.Cleanup;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.function.BuildOptions;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.function.FunctionBuild;
import io.faasimage.function.FunctionFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code faasimage dev DIR}. */
public final class DevCommand extends ServiceCommand {
    /** Editors write a file in several steps, and often several files. */
    private static final int QUIET_MILLIS = 50;

    private final Argument<Path> directory =
            arguments.parameter("DIR", "Directory with the function's code.", Path::of);
    private final BuildOptions options = arguments.with(new BuildOptions());
    private final Argument<Integer> port = arguments
            .option("--port", "PORT", "Where the container listens.", Integer::valueOf)
            .or("8080");

    /** One cycle, from a change to the first answer: seconds of each step, and bytes that the node fetched. */
    private record Cycle(
            int cycle,
            @Nullable String digest,
            Map<String, Double> steps,
            double seconds,
            long movedBytes,
            @Nullable String error) {}

    @Override
    protected void run(ServiceClient registry) throws IOException {
        FunctionBuild.Request request = options.request(directory.get(), registry);
        FunctionBuild builder = BuildOptions.builder(output.messages());
        PrintWriter log = output.messages().orElseGet(() -> new PrintWriter(Writer.nullWriter()));
        List<String> seen = state();
        try (LocalContainer container = new LocalContainer(connections.node(), request.function(), port.get(), log);
                Cleanup _ = new Cleanup(container::close)) {
            for (int cycle = 1; ; cycle++) {
                Cycle done = cycle(cycle, builder, request, registry, container);
                output.print(done, out -> out.println(line(done)));
                seen = awaitChange(seen);
            }
        }
    }

    private Cycle cycle(
            int number,
            FunctionBuild builder,
            FunctionBuild.Request request,
            ServiceClient registry,
            LocalContainer container) {
        Map<String, Double> steps = new LinkedHashMap<>();
        long begin = System.nanoTime();
        @Nullable String digest = null;
        long moved = 0;
        @Nullable String error = null;
        try {
            digest = builder.build(request).toString();
            ended("build", begin, steps);
            options.register(request, registry);
            ended("register", begin, steps);
            moved = container.pull(request.image());
            ended("pull", begin, steps);
            container.replace(request.image());
            ended("start", begin, steps);
        } catch (IOException e) {
            error = e.getMessage() == null ? e.toString() : e.getMessage();
        }
        return new Cycle(number, digest, steps, seconds(begin), moved, error);
    }

    private static void ended(String step, long begin, Map<String, Double> steps) {
        double before = steps.values().stream().mapToDouble(Double::doubleValue).sum();
        steps.put(step, Math.round((seconds(begin) - before) * 1e3) / 1e3);
    }

    private static double seconds(long begin) {
        return Math.round((System.nanoTime() - begin) / 1e6) / 1e3;
    }

    private String line(Cycle cycle) {
        String steps = cycle.steps().entrySet().stream()
                .map(step -> step.getKey() + " " + step.getValue())
                .collect(Collectors.joining(", "));
        return cycle.error() != null
                ? "failed after " + cycle.seconds() + " s: " + Printable.line(cycle.error())
                : "answers after " + cycle.seconds() + " s at http://127.0.0.1:" + port.get() + " (" + steps + ", "
                        + Output.bytes(cycle.movedBytes()) + " moved)";
    }

    /** Waits until the files have changed, and then until they have not for a moment. */
    private List<String> awaitChange(List<String> seen) throws IOException {
        List<String> last = seen;
        while (true) {
            LocalContainer.pause(QUIET_MILLIS);
            List<String> now = state();
            if (now.equals(last) && !now.equals(seen)) {
                return now;
            }
            last = now;
        }
    }

    /** The attributes of each file that distinguish its versions. */
    private List<String> state() {
        List<String> files = new ArrayList<>();
        try {
            for (Path file : FunctionFiles.code(directory.get())) {
                if (Files.isRegularFile(file)) {
                    files.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + " "
                            + Files.isExecutable(file));
                }
            }
        } catch (IOException e) {
            // A file was removed meanwhile, and the next look sees all; or the build will report the problem.
            files.add(e.toString());
        }
        return files;
    }
}
