package io.faasimage.cli.development;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.function.BuildWait;
import io.faasimage.cli.function.SourceArchive;
import io.faasimage.cli.terminal.Output;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The way of a function's code to an answer: build, plan, deployment. For one thread. */
final class DevelopmentCycle {
    private final ServiceClient registry;
    private final Path directory;
    private final BuildRequest request;
    private final Map<String, byte[]> secrets;
    private final Deployment deployment;
    private final Optional<InheritedPlan> plan;
    private final Output output;
    private int cycles;

    /**
     * Cycles of the code in {@code directory}.
     *
     * @param secrets contents by id, for the installation of the libraries
     * @param plan of each version before it starts; empty when it starts without one
     */
    DevelopmentCycle(
            ServiceClient registry,
            Path directory,
            BuildRequest request,
            Map<String, byte[]> secrets,
            Deployment deployment,
            Optional<InheritedPlan> plan,
            Output output) {
        this.registry = registry;
        this.directory = directory;
        this.request = request;
        this.secrets = secrets;
        this.deployment = deployment;
        this.plan = plan;
        this.output = output;
    }

    /** Runs one cycle, which began at {@code begin}; a failure is in the report. */
    CycleReport run(long begin) {
        CycleClock clock = new CycleClock(begin);
        Progressed state = new Progressed();
        cycles++;
        try {
            run(clock, state);
        } catch (IOException e) {
            clock.end("failure");
            state.seconds = clock.seconds();
            state.error = String.valueOf(e.getMessage() == null ? e : e.getMessage());
        }
        return state.report(cycles, clock);
    }

    private void run(CycleClock clock, Progressed state) throws IOException {
        BuildInfo build = build(clock, state);
        Digest digest = Digest.parse(Objects.requireNonNull(build.digest()));
        state.digest = digest.toString();
        if (plan.isPresent()) {
            plan.get().await(digest);
            clock.end("plan");
        }
        state.deployed = Optional.of(deployment.deploy(build.image(), clock));
        state.seconds = clock.seconds();
        if (plan.isPresent()) {
            plan.get().started(digest);
        }
    }

    private BuildInfo build(CycleClock clock, Progressed state) throws IOException {
        BuildInfo accepted;
        try (SourceArchive archive = SourceArchive.of(directory)) {
            state.uploaded = Files.size(archive.file());
            accepted = registry.builds().submit(request, archive.file(), secrets);
        }
        clock.end("upload");
        BuildInfo build = new BuildWait(registry, output.messages()).untilDone(accepted);
        clock.end("build");
        return build;
    }

    /** How far a cycle came. */
    private static final class Progressed {
        private long uploaded;
        private double seconds;
        private @Nullable String digest;
        private Optional<Deployment.Deployed> deployed = Optional.empty();
        private @Nullable String error;

        private CycleReport report(int cycle, CycleClock clock) {
            Optional<Deployment.Pulled> pull = deployed.flatMap(Deployment.Deployed::pull);
            return new CycleReport(
                    cycle,
                    digest,
                    clock.steps(),
                    seconds,
                    uploaded,
                    pull.map(Deployment.Pulled::bytes).orElse(null),
                    pull.map(Deployment.Pulled::way).orElse(null),
                    deployed.map(Deployment.Deployed::address).orElse(null),
                    error);
        }
    }
}
