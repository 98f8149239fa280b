package io.faasimage.builder.install;

import io.faasimage.builder.egress.EgressProxy;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.fault.BuildException.Kind;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A runner of installations in containers of {@code runc}. Thread-safe.
 *
 * <p>The disk is watched rather than partitioned: an installation is ended when a look finds more than it may have, so
 * that it can have up to a second's worth more.
 */
public final class Installer {
    private static final Duration KILL = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 250;
    private static final int SHOWN_LINES = 30;

    /** Where runc has the root file system, in a mount namespace of its own. */
    private static final Path ROOT = Path.of("/run/faasimage-install");

    /**
     * Runs runc where its container's users can reach the root file system, whatever the modes of the directories above
     * it. The mount ends with the last process of the namespace.
     */
    private static final String IN_PLACE = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"";

    private final String runc;
    private final InstallLimits limits;

    /** An installer that runs the command {@code runc}. */
    public Installer(String runc, InstallLimits limits) {
        this.runc = runc;
        this.limits = limits;
    }

    /** Runs an installation to its end. */
    public void run(Installation installation) throws IOException {
        FileTree.own(installation.function(), ContainerSpec.HOST_USER);
        FileTree.own(installation.libraries(), ContainerSpec.HOST_USER);
        FileTree.own(installation.temporary(), ContainerSpec.HOST_USER);
        for (ContainerMount mount : ContainerMount.of(installation)) {
            mount.place(installation.root());
        }
        Files.createDirectories(ROOT);
        try (NetworkNamespace network = network();
                EgressProxy proxy = EgressProxy.open(network, installation.egress(), System.getenv())) {
            Path config = installation.bundle().resolve("config.json");
            Files.write(
                    config,
                    JsonMapper.shared()
                            .writeValueAsBytes(
                                    ContainerSpec.of(installation, limits, ROOT, network.path(), proxy.url())));
            run(installation, proxy);
        }
    }

    private static NetworkNamespace network() throws BuildException {
        try {
            return NetworkNamespace.create();
        } catch (IOException e) {
            throw new BuildException(
                    Kind.MACHINE,
                    "the service's machine cannot give an installation a network of its own (" + e.getMessage()
                            + "); CAP_SYS_ADMIN is needed",
                    e);
        }
    }

    private void run(Installation installation, EgressProxy proxy) throws IOException {
        Process process = start(installation);
        try {
            BoundedOutput output = BoundedOutput.collect(process, installation.output(), limits.outputBytes());
            @Nullable BuildException exceeded = watch(installation, process);
            output.join();
            int exit = process.waitFor();
            if (exceeded != null) {
                throw exceeded;
            }
            if (exit != 0) {
                throw failure(installation, exit, proxy.refused());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BuildException(Kind.CANCELLED, "the build was stopped while it installed libraries", e);
        } finally {
            // A runc that is stopped in its first milliseconds may still be making its container; only when it has
            // ended is what there is to remove known.
            end(process);
            remove(installation.bundle(), installation.id());
        }
    }

    private Process start(Installation installation) throws BuildException {
        try {
            ProcessBuilder command = command(installation.bundle(), "run", "--bundle", ".", installation.id());
            command.command()
                    .addAll(
                            0,
                            List.of(
                                    "unshare",
                                    "--mount",
                                    "--propagation",
                                    "private",
                                    "sh",
                                    "-c",
                                    IN_PLACE,
                                    "sh",
                                    installation.root().toString(),
                                    ROOT.toString()));
            Process process = command.redirectErrorStream(true).start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new BuildException(
                    Kind.MACHINE,
                    "could not run '" + runc + "', which libraries are installed with (" + e.getMessage()
                            + "); install it on the service's machine: apt-get install runc",
                    e);
        }
    }

    private ProcessBuilder command(Path bundle, String... words) {
        String[] all = new String[words.length + 3];
        all[0] = runc;
        all[1] = "--root";
        all[2] = bundle.resolve("state").toString();
        System.arraycopy(words, 0, all, 3, words.length);
        return new ProcessBuilder(new ArrayList<>(List.of(all))).directory(bundle.toFile());
    }

    private @Nullable BuildException watch(Installation installation, Process process)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + limits.time().toNanos();
        long pause = LOOK_MILLIS;
        while (!process.waitFor(pause, TimeUnit.MILLISECONDS)) {
            long before = System.nanoTime();
            long used = FileTree.bytes(installation.libraries())
                    + FileTree.bytes(installation.temporary())
                    + FileTree.bytes(installation.function());
            if (used > limits.diskBytes()) {
                kill(installation, process);
                return exceeded("more than " + (limits.diskBytes() >> 20) + " MiB of disk", "--faasimage.build.disk");
            }
            if (System.nanoTime() > end) {
                kill(installation, process);
                return exceeded("more than " + limits.time().toSeconds() + " s", "--faasimage.build.time");
            }
            // Looking takes a third of the time at most.
            pause = Math.max(LOOK_MILLIS, 2 * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
        }
        return null;
    }

    private static BuildException exceeded(String what, String option) {
        return new BuildException(
                Kind.LIMIT,
                "the installation of the libraries was stopped: it took " + what
                        + "; name fewer or smaller ones, or raise the service's " + option);
    }

    private void kill(Installation installation, Process process) throws IOException, InterruptedException {
        run(command(installation.bundle(), "kill", installation.id(), "KILL"));
        var _ = process.waitFor(KILL);
    }

    private BuildException failure(Installation installation, int exit, List<String> refused) throws IOException {
        String shown = BoundedOutput.tail(installation.output(), SHOWN_LINES);
        if (exit == 128 + 9) {
            return new BuildException(
                    Kind.LIMIT,
                    "the installation of the libraries was killed, most likely because it took more than "
                            + (limits.memoryBytes() >> 20) + " MiB of memory; name fewer or smaller ones, or raise the"
                            + " service's --faasimage.build.memory. It printed:\n" + shown);
        }
        Optional<String> runcs = runcFailure(shown);
        if (runcs.isPresent()) {
            return new BuildException(
                    Kind.MACHINE,
                    "the service's machine cannot run the container that libraries are installed in: " + runcs.get());
        }
        return new BuildException(
                Kind.INSTALL,
                "the libraries could not be installed (exit code " + exit + ")" + hint(refused) + ":\n" + shown);
    }

    private static String hint(List<String> refused) {
        return refused.isEmpty()
                ? ""
                : "; builds may not reach " + String.join(", ", refused)
                        + " unless the service's --faasimage.build.egress names it";
    }

    /** What runc, or the shell that starts it, itself complains about; the container prints nothing then. */
    private static Optional<String> runcFailure(String output) {
        String last = output.strip();
        last = last.substring(last.lastIndexOf('\n') + 1);
        boolean own = (last.startsWith("time=") && last.contains("level=error"))
                || List.of("unshare: ", "mount: ", "sh: ").stream().anyMatch(last::startsWith);
        return own ? Optional.of(last) : Optional.empty();
    }

    /**
     * Ends and removes the container of an installation that was stopped, or whose service was killed, if there is one.
     * An interrupt does not cut this short.
     */
    public void remove(Path bundle, String id) throws IOException {
        if (Files.isDirectory(bundle.resolve("state").resolve(id))) {
            run(command(bundle, "delete", "--force", id));
        }
    }

    private static void run(ProcessBuilder builder) throws IOException {
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitEnd(process);
        end(process);
    }

    private static void end(Process process) {
        process.destroyForcibly();
        awaitEnd(process);
    }

    /** Waits for ten seconds at most, whether the thread is interrupted or not. */
    private static void awaitEnd(Process process) {
        process.onExit()
                .completeOnTimeout(process, KILL.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
