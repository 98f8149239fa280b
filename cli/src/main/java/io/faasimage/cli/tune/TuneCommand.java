package io.faasimage.cli.tune;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.containerd.Containerd;
import io.faasimage.cli.containerd.ContainerdConfig;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code faasimage node tune}. Exit code 1 when something is left to the user. */
public final class TuneCommand extends CliCommand {
    private static final String ALL = "all";

    private final Argument<List<String>> enable =
            arguments.list("--enable", "LEVER[,LEVER]", "Turn these on.", text -> text);
    private final Argument<List<String>> disable = arguments.list(
            "--disable", "LEVER[,LEVER]", "Undo what --enable did for these, or for `all`.", text -> text);
    private final Argument<Path> seccomp = arguments.option(
            "--native-seccomp",
            "FILE",
            "Print the seccomp profile in FILE without rules for 32-bit programs, which runc compiles "
                    + "anew at each start. FILE is a profile (OCI, Docker), or what `ctr containers info` prints "
                    + "of a container with one.",
            Path::of);
    private final Argument<Path> root = arguments
            .option("--root", "DIR", "State directory of the node agent, which keeps what was changed.", Path::of)
            .or("/var/lib/faasimage");
    private final Argument<Path> containerdConfig = arguments
            .option("--containerd-config", "FILE", "containerd's configuration.", Path::of)
            .or("/etc/containerd/config.toml");
    private final Argument<String> containerdProgram = arguments
            .option(
                    "--containerd-program",
                    "PROGRAM",
                    "The containerd program, which prints its effective configuration.")
            .or("containerd");

    private final Connections connections = arguments.with(new Connections());

    /**
     * A lever, as it is printed.
     *
     * @param name of it
     * @param state on, off or not possible
     * @param detail where it is set, how it is turned on, or why it cannot be
     * @param effect what it shortens
     * @param risk what it costs
     */
    private record Row(String name, String state, String detail, String effect, String risk) {}

    /**
     * What was done about a lever, as it is printed.
     *
     * @param name of it
     * @param changed whether something was
     * @param steps what was done, and what is left to do
     */
    private record Turned(String name, boolean changed, List<String> steps) {}

    @Override
    protected int call() throws IOException {
        Path profile = seccomp.orNull();
        if (Stream.of(profile == null, enable.get().isEmpty(), disable.get().isEmpty())
                        .filter(absent -> !absent)
                        .count()
                > 1) {
            throw new IllegalArgumentException("only one of --enable, --disable and --native-seccomp can be given");
        }
        if (profile != null) {
            SeccompProfile without = SeccompProfile.read(profile).nativeTo(System.getProperty("os.arch"));
            output.print(without.json(), out -> out.println(without));
            return ExitCode.DONE;
        }
        if (enable.get().isEmpty() && disable.get().isEmpty()) {
            run();
            return ExitCode.DONE;
        }
        return turn() ? ExitCode.DONE : ExitCode.FAILED;
    }

    @Override
    protected void run() throws IOException {
        List<Row> rows = levers().examine().stream().map(TuneCommand::row).toList();
        output.show(rows, screen -> print(rows, screen));
    }

    private Levers levers() {
        return Levers.of(
                connections, new ContainerdConfig(new Containerd(containerdProgram.get()), containerdConfig.get()));
    }

    private static Row row(Levers.Found found) {
        Lever lever = found.lever();
        return new Row(lever.name(), found.state().label(), found.state().detail(), lever.effect(), lever.risk());
    }

    private static void print(List<Row> rows, Screen screen) {
        Table table = new Table("=LEVER", "=STATE", "BRINGS", "RISKS");
        rows.forEach(row -> table.row(row.name(), row.state(), row.effect(), row.risk()));
        table.print(screen);
        screen.out().println();
        rows.forEach(row -> screen.out().println(Printable.line(row.name() + ": " + row.detail())));
        screen.out().println();
        screen.out().println("What each brought where it was measured: docs/operations/tuning.md");
    }

    /** Whether nothing is left to the user but a restart. */
    private boolean turn() throws IOException {
        Levers levers = levers();
        List<Turned> turned = new ArrayList<>();
        boolean complete = true;
        try (TuneJournal journal = TuneJournal.open(root.get())) {
            for (Lever lever : chosen(levers, journal)) {
                LeverChange done = enable.get().isEmpty() ? lever.disable(journal) : lever.enable(journal);
                complete &= !(done instanceof LeverChange.ByHand);
                turned.add(turned(lever, done));
            }
        } finally {
            output.print(
                    turned,
                    out -> turned.forEach(lever -> {
                        out.println(lever.name() + ":");
                        lever.steps().forEach(step -> out.println("  " + Printable.line(step)));
                    }));
        }
        return complete;
    }

    private List<Lever> chosen(Levers levers, TuneJournal journal) throws IOException {
        if (!disable.get().equals(List.of(ALL))) {
            List<String> names = enable.get().isEmpty() ? disable.get() : enable.get();
            return names.stream().map(levers::get).toList();
        }
        List<Lever> changed = new ArrayList<>();
        for (Lever lever : levers.all()) {
            if (journal.names(lever.name())) {
                changed.add(lever);
            }
        }
        return changed;
    }

    private static Turned turned(Lever lever, LeverChange change) {
        return switch (change) {
            case LeverChange.Done done -> new Turned(lever.name(), true, done.steps());
            case LeverChange.Nothing nothing ->
                new Turned(lever.name(), false, List.of("nothing to do: " + nothing.reason()));
            case LeverChange.ByHand byHand -> {
                List<String> steps = new ArrayList<>(List.of("nothing was changed; to be done by hand:"));
                steps.addAll(byHand.steps());
                yield new Turned(lever.name(), false, steps);
            }
        };
    }
}
