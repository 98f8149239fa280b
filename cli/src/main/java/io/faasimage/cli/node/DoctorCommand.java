package io.faasimage.cli.node;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code faasimage doctor}. Exit code 1 when something that is needed is missing. */
public final class DoctorCommand extends CliCommand {
    private final Argument<Path> root = arguments
            .option("--root", "DIR", "State directory of the node agent.", Path::of)
            .or("/var/lib/faasimage");
    private final Argument<Path> containerd = arguments
            .option("--containerd", "SOCKET", "containerd's socket.", Path::of)
            .from("CONTAINERD_ADDRESS")
            .or("/run/containerd/containerd.sock");
    private final Argument<Path> containerdConfig = arguments
            .option(
                    "--containerd-config",
                    "FILE",
                    "containerd's configuration, read where containerd does not answer.",
                    Path::of)
            .or("/etc/containerd/config.toml");

    private final Connections connections = arguments.with(new Connections());

    @Override
    protected void run() throws IOException {
        examine();
    }

    @Override
    protected int call() throws IOException {
        return examine() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private boolean examine() throws IOException {
        List<Diagnosis> diagnoses =
                new NodeExamination(root.get(), containerd.get(), containerdConfig.get(), connections).run();
        boolean ready = diagnoses.stream().allMatch(d -> d.state() != Diagnosis.State.MISSING);
        output.show(diagnoses, screen -> {
            PrintWriter out = screen.out();
            for (Diagnosis diagnosis : diagnoses) {
                out.println(screen.state(mark(diagnosis))
                        + " ".repeat(9 - mark(diagnosis).length())
                        + "%-20s %s".formatted(diagnosis.subject(), Printable.line(diagnosis.finding())));
                if (!diagnosis.remedy().isEmpty()) {
                    out.println("         -> " + diagnosis.remedy());
                }
            }
            out.println(ready ? "This machine can run faasimage." : "Something that faasimage needs is missing.");
        });
        return ready;
    }

    private static String mark(Diagnosis diagnosis) {
        return switch (diagnosis.state()) {
            case OK -> "ok";
            case ADVICE -> "advice";
            case MISSING -> "MISSING";
        };
    }
}
