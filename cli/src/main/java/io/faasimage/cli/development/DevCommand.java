package io.faasimage.cli.development;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.command.Cleanup;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.function.BuildOptions;
import io.faasimage.cli.line.Argument;
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

/** {@code faasimage dev DIR}. */
public final class DevCommand extends ServiceCommand {
    private final Argument<Path> directory =
            arguments.parameter("DIR", "Directory with the function's code.", Path::of);

    private final BuildOptions options = arguments.with(new BuildOptions());
    private final Argument<Integer> port = arguments
            .option(
                    "--port",
                    "PORT",
                    "Where the container listens; another port than 8080 is not for images with of-watchdog.",
                    Integer::valueOf)
            .or("8080");

    private final Argument<String> path = arguments
            .option("--path", "PATH", "What is requested until it answers with 200.")
            .or("/_/ready");
    private final Argument<String> snapshotter = arguments
            .option("--snapshotter", "NAME", "containerd's snapshotter.")
            .or("faasimage");
    private final Argument<String> namespace = arguments
            .option("--namespace", "NAME", "containerd's namespace.")
            .from("CONTAINERD_NAMESPACE")
            .or("default");
    private final Argument<Path> containerd = arguments
            .option("--containerd", "SOCKET", "containerd's socket.", Path::of)
            .from("CONTAINERD_ADDRESS")
            .or("/run/containerd/containerd.sock");
    private final Argument<URI> gateway =
            arguments.option("--gateway", "URL", "Deploy to OpenFaaS through this gateway.", URI::create);
    private final Argument<Path> gatewayPassword = arguments.option(
            "--gateway-password-file", "FILE", "Password of the gateway's user admin (default: none).", Path::of);
    private final Argument<String> gatewayNamespace =
            arguments.option("--gateway-namespace", "NAME", "Namespace of the function on OpenFaaS.");
    private final Argument<Boolean> withoutPlan = arguments.flag(
            "--no-plan",
            "Start each version before it has a plan: its changed layers are pulled whole, its start is traced.");
    private final Argument<Integer> cycles = arguments
            .option("--cycles", "N", "End after N cycles, the first build included (default: never).", Integer::valueOf)
            .or("0");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        options.checkRuntime(registry);
        BuildRequest request = options.request(directory.get());
        Map<String, byte[]> secrets = options.secrets();
        try (SourceWatch watch = SourceWatch.of(directory.get());
                Deployment deployment = deployment(request.name());
                Cleanup _ = new Cleanup(deployment::close)) {
            Optional<InheritedPlan> plan = withoutPlan.get()
                    ? Optional.empty()
                    : Optional.of(new InheritedPlan(registry, present(registry, request.name())));
            DevelopmentCycle cycle =
                    new DevelopmentCycle(registry, directory.get(), request, secrets, deployment, plan, output);
            long begin = System.nanoTime();
            while (true) {
                CycleReport report = cycle.run(begin);
                boolean last = report.cycle() == cycles.get();
                show(report, last);
                if (last) {
                    return;
                }
                begin = watch.await();
            }
        }
    }

    private Deployment deployment(String function) throws IOException {
        if (gateway.orNull() == null) {
            PrintWriter log = output.messages().orElseGet(() -> new PrintWriter(Writer.nullWriter()));
            Ctr ctr = new Ctr(containerd.get(), namespace.get());
            return new LocalContainer(
                    connections.node(), ctr, snapshotter.get(), function, port.get(), path.get(), log);
        }
        Optional<String> password = gatewayPassword.orNull() == null
                ? Optional.empty()
                : Optional.of(Files.readString(gatewayPassword.orNull()).strip());
        return new GatewayFunction(
                gateway.orNull(), password, function, Optional.ofNullable(gatewayNamespace.orNull()), path.get());
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
        if (error != null) {
            output.messages().ifPresent(err -> {
                err.println("error: " + Printable.line(error));
                err.flush();
            });
        }
        if (report.cycle() == 1) {
            output.messages().ifPresent(err -> {
                err.println("watching " + directory.get() + "; Ctrl-C ends it");
                err.flush();
            });
        }
    }
}
