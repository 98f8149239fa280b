package io.faasimage.builder.install;

import io.faasimage.builder.egress.EgressProxy;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.fault.BuildException.Kind;
import io.faasimage.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A runner of installations in containers of {@code runc}, each with a disk of its own. Thread-safe. */
public final class Installer {
    private static final Duration KILL = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 250;
    private static final int SHOWN_LINES = 30;
    private static final long MOST_LEFT = 1 << 20;

    private final String runc;
    private final InstallLimits limits;

    /** An installer that runs the command {@code runc}. */
    public Installer(String runc, InstallLimits limits) {
        this.runc = runc;
        this.limits = limits;
    }

    /** Runs an installation to its end; the caller closes what it has installed. */
    public Installed run(Installation installation) throws IOException {
        Files.createDirectories(installation.bundle());
        InstallMounts mounts = InstallMounts.open(
                installation.root(), installation.work().resolve("disk"), limits.diskBytes(), installation.secrets());
        boolean done = false;
        try {
            run(installation, mounts);
            done = true;
            return new Installed(
                    InstallDirectories.on(mounts.seen(InstallMounts.DISK)).libraries(), mounts);
        } finally {
            if (!done) {
                mounts.close();
            }
        }
    }

    private void run(Installation installation, InstallMounts mounts) throws IOException {
        Path disk = mounts.seen(InstallMounts.DISK);
        try {
            InstallDirectories.on(disk).make(installation);
        } catch (FileSystemException e) {
            if (isFull(e.toString())) {
                throw exceeded(disk());
            }
            throw e;
        }
        for (ContainerMount mount : ContainerMount.of(installation, disk)) {
            mount.place(installation.root());
        }
        try (NetworkNamespace network = network();
                EgressProxy proxy = EgressProxy.open(network, installation.egress(), System.getenv())) {
            Path config = installation.bundle().resolve("config.json");
            Files.write(
                    config,
                    JsonMapper.shared()
                            .writeValueAsBytes(
                                    ContainerSpec.of(installation, limits, disk, network.path(), proxy.url())));
            run(installation, mounts, proxy);
            mounts.sync();
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

    private void run(Installation installation, InstallMounts mounts, EgressProxy proxy) throws IOException {
        Process process = start(installation, mounts);
        try {
            BoundedOutput output = BoundedOutput.collect(
                    process,
                    installation.output(),
                    limits.outputBytes(),
                    installation.secrets().values());
            @Nullable BuildException exceeded = watch(installation, process, mounts.seen(InstallMounts.DISK));
            output.join();
            int exit = process.waitFor();
            if (exceeded != null) {
                throw exceeded;
            }
            if (exit != 0) {
                // What the machine's own disk refused is not the fault of the installation.
                mounts.sync();
                throw failure(installation, exit, isFull(mounts.seen(InstallMounts.DISK)), proxy.refused());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BuildException(Kind.CANCELLED, "the build was stopped while it installed libraries", e);
        } finally {
            // A runc that is stopped in its first milliseconds may still be making its container; only when it has
            // ended is what there is to remove known.
            end(process);
            remove(installation.work(), installation.id());
        }
    }

    private Process start(Installation installation, InstallMounts mounts) throws BuildException {
        Path bundle = installation.bundle();
        try {
            ProcessBuilder command = command(bundle, "run", "--bundle", bundle.toString(), installation.id());
            Process process = command.command(mounts.inside(command.command()))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new BuildException(
                    Kind.MACHINE,
                    "could not run nsenter, by which libraries are installed (" + e.getMessage()
                            + "); install it on the service's machine: apt-get install util-linux",
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

    private @Nullable BuildException watch(Installation installation, Process process, Path disk)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + limits.time().toNanos();
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            // A script that goes on although it cannot write would take all of its time.
            if (isFull(disk)) {
                kill(installation, process);
                return exceeded(disk());
            }
            if (System.nanoTime() > end) {
                kill(installation, process);
                return exceeded(new Limit("more than " + limits.time().toSeconds() + " s", "--faasimage.build.time"));
            }
        }
        return null;
    }

    private record Limit(String what, String option) {}

    private Limit disk() {
        return new Limit(
                "more than " + (limits.diskBytes() >> 20) + " MiB of disk, or than the files that a disk of this size"
                        + " has room for",
                "--faasimage.build.disk");
    }

    private static boolean isFull(Path disk) {
        // A write that finds less room than it needs at once leaves that.
        long total = disk.toFile().getTotalSpace();
        return disk.toFile().getUsableSpace() < Math.min(MOST_LEFT, total / 16);
    }

    private static boolean isFull(String text) {
        return text.contains("No space left on device") || text.contains("ENOSPC");
    }

    private static BuildException exceeded(Limit limit) {
        return new BuildException(
                Kind.LIMIT,
                "the installation of the libraries was stopped: it took " + limit.what
                        + "; name fewer or smaller ones, or raise the service's " + limit.option);
    }

    private void kill(Installation installation, Process process) throws IOException, InterruptedException {
        run(command(installation.bundle(), "kill", installation.id(), "KILL"));
        var _ = process.waitFor(KILL);
    }

    private BuildException failure(Installation installation, int exit, boolean full, List<String> refused)
            throws IOException {
        String shown = BoundedOutput.tail(installation.output(), SHOWN_LINES);
        if (exit == 128 + 9) {
            return new BuildException(
                    Kind.LIMIT,
                    "the installation of the libraries was killed, most likely because it took more than "
                            + (limits.memoryBytes() >> 20) + " MiB of memory; name fewer or smaller ones, or raise the"
                            + " service's --faasimage.build.memory. It printed:\n" + shown);
        }
        if (full || isFull(shown)) {
            return new BuildException(Kind.LIMIT, exceeded(disk()).getMessage() + ". It printed:\n" + shown);
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

    /** What runc, or nsenter that starts it, itself complains about; the container prints nothing then. */
    private static Optional<String> runcFailure(String output) {
        String last = output.strip();
        last = last.substring(last.lastIndexOf('\n') + 1);
        boolean own = (last.startsWith("time=") && last.contains("level=error")) || last.startsWith("nsenter: ");
        return own ? Optional.of(last) : Optional.empty();
    }

    /**
     * Ends and removes the container of an installation that was stopped, or whose service was killed, if there is one.
     * An interrupt does not cut this short.
     *
     * @param work directory of the build
     */
    public void remove(Path work, String id) throws IOException {
        Path bundle = Installation.bundle(work);
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
