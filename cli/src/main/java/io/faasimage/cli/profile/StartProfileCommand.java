package io.faasimage.cli.profile;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.start.StartProfileInfo.Spread;
import io.faasimage.cli.command.Cleanup;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code faasimage start-profile IMAGE}. */
public final class StartProfileCommand extends CliCommand {
    private static final String CONTAINER = "faasimage-profile-";
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final long PROGRAM_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Argument<String> image = arguments.parameter("IMAGE", "For example registry.example.org/hello:1.");
    private final Argument<Integer> runs = arguments
            .option("--runs", "N", "Starts that are profiled, after one that is not.", Integer::valueOf)
            .or("10");
    private final Argument<String> snapshotter = arguments
            .option("--snapshotter", "NAME", "Whose containers; overlayfs is containerd's own.")
            .or("faasimage");

    private final Argument<String> runtime = arguments.option(
            "--runc-binary", "PROGRAM", "The OCI runtime, by its name in PATH or its path (default: containerd's).");
    private final Argument<String> namespace = arguments
            .option("--namespace", "NAME", "containerd's namespace.")
            .from("CONTAINERD_NAMESPACE")
            .or("default");
    private final Argument<Path> containerd = arguments
            .option("--containerd", "SOCKET", "containerd's socket.", Path::of)
            .from("CONTAINERD_ADDRESS")
            .or("/run/containerd/containerd.sock");
    private final Argument<Boolean> send =
            arguments.flag("--send", "Also send it to the service, which shows it on the pages of the image's starts.");

    private final Connections connections = arguments.with(new Connections());

    @Override
    protected void run() throws IOException {
        if (runs.get() < 1 || runs.get() > 1000) {
            throw new IllegalArgumentException("--runs is 1 to 1000, not " + runs.get());
        }
        long server = SocketServer.of(containerd.get());
        Ctr client = new Ctr(containerd.get(), namespace.get());
        client.removeLeft(CONTAINER);
        List<StartProfile> profiles = new ArrayList<>();
        try (Progress progress = output.progress()) {
            for (int i = 0; i <= runs.get(); i++) {
                progress.show("starts", i, runs.get());
                String container = CONTAINER + ProcessHandle.current().pid() + "-" + i;
                StartProfile profile = start(client, server, container);
                if (i > 0) {
                    profiles.add(profile);
                }
            }
        }
        ProfileSummary summary = ProfileSummary.of(image.get(), profiles);
        output.show(summary, screen -> print(summary, screen));
        if (send.get()) {
            try (ServiceClient service = connections.registry()) {
                service.starts()
                        .putProfile(summary.info(Files.readString(HOST_NAME).strip(), snapshotter.get()));
            }
        }
    }

    private StartProfile start(Ctr client, long server, String container) throws IOException {
        List<String> command = new ArrayList<>(List.of("run", "-d", "--snapshotter", snapshotter.get()));
        if (!runtime.get().isEmpty()) {
            command.addAll(List.of("--runc-binary", runtime.get()));
        }
        command.addAll(List.of(image.get(), container));
        try (KernelTrace trace = KernelTrace.of(server);
                Cleanup _ = new Cleanup(() -> undo(trace, client, container))) {
            trace.begin();
            long begin = System.nanoTime() / 1000;
            client.run(command.toArray(String[]::new));
            return end(trace, begin);
        }
    }

    private static void undo(KernelTrace trace, Ctr client, String container) {
        try {
            trace.close();
        } catch (IOException e) {
            // The next profile removes it.
            System.err.println("could not end the kernel's trace: " + e.getMessage());
        }
        client.remove(container);
    }

    /** The runtime has left by now, but the container's program may not have begun. */
    private static StartProfile end(KernelTrace trace, long begin) throws IOException {
        long limit = System.nanoTime() + PROGRAM_LIMIT_NANOS;
        while (true) {
            Optional<StartProfile> profile = StartTimeline.profile(trace.read(), begin);
            if (profile.isPresent()) {
                return profile.get();
            }
            if (System.nanoTime() > limit) {
                throw new IOException("the trace does not show that the container's program was run;"
                        + " has the container a runtime that runs it in a process of its own, such as runc?");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static void print(ProfileSummary summary, Screen screen) {
        PrintWriter out = screen.out();
        out.println("%d starts of %s: %s ms from the call of ctr to the container's own program"
                .formatted(summary.starts(), summary.image(), spread(summary.total())));
        out.println();
        Table table = new Table(Stream.concat(
                        Stream.of("mean ms"),
                        Stream.concat(
                                Arrays.stream(Category.values()).map(category -> ">" + category.label()),
                                Stream.of(">total")))
                .toArray(String[]::new));
        summary.parts().forEach((part, categories) -> table.row(cells(part.label(), categories)));
        table.row(cells("total", total(summary)));
        table.print(screen);
        out.println();
        out.println("of these, waiting for: "
                + summary.waits().entrySet().stream()
                        .map(wait -> wait.getKey().label() + " " + spread(wait.getValue()))
                        .collect(Collectors.joining(", ")));
    }

    private static Map<Category, Spread> total(ProfileSummary summary) {
        return Arrays.stream(Category.values())
                .collect(Collectors.toMap(
                        category -> category,
                        category -> new Spread(
                                summary.parts().values().stream()
                                        .mapToDouble(categories -> mean(categories, category))
                                        .sum(),
                                0)));
    }

    private static double mean(Map<Category, Spread> categories, Category category) {
        Spread spread = categories.get(category);
        return spread == null ? 0 : spread.mean();
    }

    private static String[] cells(String name, Map<Category, Spread> categories) {
        List<String> cells = new ArrayList<>(List.of(name));
        double sum = 0;
        for (Category category : Category.values()) {
            double mean = mean(categories, category);
            sum += mean;
            cells.add(mean < 0.05 ? "-" : millis(mean));
        }
        cells.add(millis(sum));
        return cells.toArray(String[]::new);
    }

    private static String spread(Spread spread) {
        return millis(spread.mean()) + " \u00b1 " + millis(spread.deviation());
    }

    private static String millis(double value) {
        return "%.1f".formatted(value);
    }
}
