package io.faasimage.cli.development;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.command.Cleanup;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.function.BuildOptions;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage dev DIR}. */
@Command(
        name = "dev",
        description = {
            "Builds a function, starts it, and does so again after each change of its code; Ctrl-C ends it.",
            "It runs in a container of this machine's containerd, in the host's network, or with --gateway on OpenFaaS.",
            "Each time, what every step took is printed. A build that fails is shown, and the last version runs on."
        })
public final class DevCommand extends ServiceCommand {
    @Parameters(paramLabel = "DIR", description = "Directory with the function's code.")
    private Path directory;

    @Mixin
    private BuildOptions options;

    @Option(
            names = "--port",
            description = "Where the container listens (default: ${DEFAULT-VALUE}); another port than 8080 is not for"
                    + " images with of-watchdog.",
            defaultValue = "8080")
    private int port;

    @Option(
            names = "--path",
            description = "What is requested until it answers with 200 (default: ${DEFAULT-VALUE}).",
            defaultValue = "/_/ready")
    private String path;

    @Option(
            names = "--snapshotter",
            description = "containerd's snapshotter (default: ${DEFAULT-VALUE}).",
            defaultValue = "faasimage")
    private String snapshotter;

    @Option(
            names = "--namespace",
            description = "containerd's namespace (default: $CONTAINERD_NAMESPACE, else default).",
            defaultValue = "${env:CONTAINERD_NAMESPACE:-default}")
    private String namespace;

    @Option(
            names = "--containerd",
            description = "containerd's socket (default: $CONTAINERD_ADDRESS, else /run/containerd/containerd.sock).",
            defaultValue = "${env:CONTAINERD_ADDRESS:-/run/containerd/containerd.sock}")
    private Path containerd;

    @Option(names = "--gateway", paramLabel = "URL", description = "Deploy to OpenFaaS through this gateway.")
    private @Nullable URI gateway;

    @Option(
            names = "--gateway-password-file",
            paramLabel = "FILE",
            description = "Password of the gateway's user admin (default: none).")
    private @Nullable Path gatewayPassword;

    @Option(names = "--gateway-namespace", paramLabel = "NAME", description = "Namespace of the function on OpenFaaS.")
    private @Nullable String gatewayNamespace;

    @Option(
            names = "--no-plan",
            description = "Start each version before it has a plan: its changed layers are pulled whole, its start is"
                    + " traced.")
    private boolean withoutPlan;

    @Option(
            names = "--cycles",
            paramLabel = "N",
            description = "End after N cycles, the first build included (default: never).",
            defaultValue = "0")
    private int cycles;

    @Spec
    private CommandSpec spec;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        options.checkRuntime(registry);
        BuildRequest request = options.request(directory);
        Map<String, byte[]> secrets = options.secrets();
        try (SourceWatch watch = SourceWatch.of(directory);
                Deployment deployment = deployment(request.name());
                Cleanup _ = new Cleanup(deployment::close)) {
            Optional<InheritedPlan> plan = withoutPlan
                    ? Optional.empty()
                    : Optional.of(new InheritedPlan(registry, present(registry, request.name())));
            DevelopmentCycle cycle =
                    new DevelopmentCycle(registry, directory, request, secrets, deployment, plan, output);
            long begin = System.nanoTime();
            while (true) {
                CycleReport report = cycle.run(begin);
                boolean last = report.cycle() == cycles;
                show(report, last);
                if (last) {
                    return;
                }
                begin = watch.await();
            }
        }
    }

    private Deployment deployment(String function) throws IOException {
        if (gateway == null) {
            PrintWriter log = output.messages().orElseGet(() -> new PrintWriter(Writer.nullWriter()));
            Ctr ctr = new Ctr(containerd, namespace);
            return new LocalContainer(connections.node(), ctr, snapshotter, function, port, path, log);
        }
        Optional<String> password = gatewayPassword == null
                ? Optional.empty()
                : Optional.of(Files.readString(gatewayPassword).strip());
        return new GatewayFunction(gateway, password, function, Optional.ofNullable(gatewayNamespace), path);
    }

    /** The image that the function has now. */
    private static Optional<Digest> present(ServiceClient registry, String function) throws IOException {
        return registry.functions().stream()
                .filter(registered -> registered.name().equals(function))
                .map(FunctionInfo::digest)
                .map(Digest::parse)
                .findFirst();
    }

    private void show(CycleReport report, boolean last) throws IOException {
        String error = report.error();
        output.print(report, out -> out.println(report.line()));
        if (error != null && last) {
            throw new IOException(error);
        }
        if (error != null && !output.isForPrograms()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("error: " + Printable.line(error));
            err.flush();
        }
        if (report.cycle() == 1) {
            output.messages().ifPresent(err -> {
                err.println("watching " + directory + "; Ctrl-C ends it");
                err.flush();
            });
        }
    }
}
