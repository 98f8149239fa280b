package io.faasimage.cli.tune;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.containerd.Containerd;
import io.faasimage.cli.containerd.ContainerdConfig;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code faasimage node tune}. Exit code 1 when something is left to the user. */
@Command(
        name = "tune",
        description = {
            "Shows what shortens containers' starts on this node outside of faasimage, and turns it on or off.",
            "Each lever has its price; none is turned on by default."
        })
public final class TuneCommand extends CliCommand {
    private static final String ALL = "all";

    @ArgGroup
    private @Nullable Switch change;

    /** What is to be turned. */
    static final class Switch {
        @Option(names = "--enable", split = ",", paramLabel = "LEVER[,LEVER]", description = "Turn these on.")
        private List<String> enable = List.of();

        @Option(
                names = "--disable",
                split = ",",
                paramLabel = "LEVER[,LEVER]",
                description = "Undo what --enable did for these, or for `all`.")
        private List<String> disable = List.of();

        @Option(
                names = "--native-seccomp",
                paramLabel = "FILE",
                description = {
                    "Print the seccomp profile in FILE without rules for 32-bit programs, which runc compiles anew at"
                            + " each start.",
                    "FILE is a profile (OCI, Docker), or what `ctr containers info` prints of a container with one."
                })
        private @Nullable Path seccomp;
    }

    @Option(
            names = "--root",
            description =
                    "State directory of the node agent, which keeps what was changed (default:" + " ${DEFAULT-VALUE}).",
            defaultValue = "/var/lib/faasimage")
    private Path root;

    @Option(
            names = "--containerd-config",
            description = "containerd's configuration (default: ${DEFAULT-VALUE}).",
            defaultValue = "/etc/containerd/config.toml")
    private Path containerdConfig;

    @Option(
            names = "--containerd-program",
            description = "The containerd program, which prints its effective configuration (default:"
                    + " ${DEFAULT-VALUE}).",
            defaultValue = "containerd")
    private String containerdProgram;

    @Mixin
    private Connections connections;

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
    public Integer call() throws IOException {
        if (change == null) {
            run();
            return ExitCode.DONE;
        }
        if (change.seccomp != null) {
            SeccompProfile profile = SeccompProfile.read(change.seccomp).nativeTo(System.getProperty("os.arch"));
            output.print(profile.json(), out -> out.println(profile));
            return ExitCode.DONE;
        }
        return turn(change) ? ExitCode.DONE : ExitCode.FAILED;
    }

    @Override
    protected void run() throws IOException {
        List<Row> rows = levers().examine().stream().map(TuneCommand::row).toList();
        output.show(rows, screen -> print(rows, screen));
    }

    private Levers levers() {
        return Levers.of(connections, new ContainerdConfig(new Containerd(containerdProgram), containerdConfig));
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
    private boolean turn(Switch wanted) throws IOException {
        Levers levers = levers();
        List<Turned> turned = new ArrayList<>();
        boolean complete = true;
        try (TuneJournal journal = TuneJournal.open(root)) {
            for (Lever lever : chosen(levers, wanted, journal)) {
                LeverChange done = wanted.enable.isEmpty() ? lever.disable(journal) : lever.enable(journal);
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

    private static List<Lever> chosen(Levers levers, Switch wanted, TuneJournal journal) throws IOException {
        if (!wanted.disable.equals(List.of(ALL))) {
            List<String> names = wanted.enable.isEmpty() ? wanted.disable : wanted.enable;
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
