package io.faasimage.cli.node;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code faasimage doctor}. Exit code 1 when something that is needed is missing. */
@Command(
        name = "doctor",
        description = "Checks what faasimage needs on this machine, and says how to fix what is missing.")
public final class DoctorCommand extends CliCommand {
    @Option(
            names = "--root",
            description = "State directory of the node agent (default: ${DEFAULT-VALUE}).",
            defaultValue = "/var/lib/faasimage")
    private Path root;

    @Option(
            names = "--containerd",
            description = "containerd's socket (default: $CONTAINERD_ADDRESS, else /run/containerd/containerd.sock).",
            defaultValue = "${env:CONTAINERD_ADDRESS:-/run/containerd/containerd.sock}")
    private Path containerd;

    @Option(
            names = "--containerd-config",
            description =
                    "containerd's configuration, read where containerd does not answer (default: ${DEFAULT-VALUE}).",
            defaultValue = "/etc/containerd/config.toml")
    private Path containerdConfig;

    @Mixin
    private Connections connections;

    @Override
    protected void run() throws IOException {
        examine();
    }

    @Override
    public Integer call() throws IOException {
        return examine() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private boolean examine() throws IOException {
        List<Diagnosis> diagnoses = new NodeExamination(root, containerd, containerdConfig, connections).run();
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
