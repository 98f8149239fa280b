package io.faasimage.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code faasimage doctor}. Exit code 1 when something that is needed is missing. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Tries what this machine can do for faasimage, and says how to fix what is missing.")
final class DoctorCommand implements Callable<Integer> {
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
            description = "containerd's configuration (default: ${DEFAULT-VALUE}).",
            defaultValue = "/etc/containerd/config.toml")
    private Path containerdConfig;

    @Mixin
    private Connections connections;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        List<Diagnosis> diagnoses = new NodeExamination(root, containerd, containerdConfig, connections).run();
        boolean ready = diagnoses.stream().allMatch(d -> d.state() != Diagnosis.State.MISSING);
        output.print(diagnoses, out -> {
            for (Diagnosis diagnosis : diagnoses) {
                out.println("%-8s %-22s %s".formatted(mark(diagnosis), diagnosis.subject(), diagnosis.finding()));
                if (!diagnosis.remedy().isEmpty()) {
                    out.println("         -> " + diagnosis.remedy());
                }
            }
            out.println(ready ? "This machine can run faasimage." : "Something that faasimage needs is missing.");
        });
        return ready ? 0 : 1;
    }

    private static String mark(Diagnosis diagnosis) {
        return switch (diagnosis.state()) {
            case OK -> "ok";
            case ADVICE -> "advice";
            case MISSING -> "MISSING";
        };
    }
}
