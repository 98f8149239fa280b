package io.faasimage.cli.node;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.containerd.Change;
import io.faasimage.cli.containerd.Containerd;
import io.faasimage.cli.containerd.ContainerdConfig;
import io.faasimage.cli.containerd.Installation;
import io.faasimage.cli.containerd.Snapshotter;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The base of {@code faasimage node install} and {@code uninstall}: the change of one containerd's configuration. */
public abstract class NodeConfigurationCommand extends CliCommand {
    private final Argument<Path> config = arguments
            .option("--containerd-config", "FILE", "containerd's configuration.", Path::of)
            .or("/etc/containerd/config.toml");
    private final Argument<String> program = arguments
            .option(
                    "--containerd-program",
                    "PROGRAM",
                    "The containerd program, which prints its effective configuration.")
            .or("containerd");
    private final Argument<String> name =
            arguments.option("--name", "NAME", "The snapshotter's name.").or("faasimage");
    private final Argument<Path> socket = arguments
            .option("--snapshotter-socket", "SOCKET", "Where the node agent listens for this containerd.", Path::of)
            .or("/run/faasimage/snapshotter.sock");
    private final Argument<Path> root = arguments
            .option("--root", "DIR", "The node agent's state directory.", Path::of)
            .or("/var/lib/faasimage");
    private final Argument<Boolean> remapIds = arguments.flag(
            "--remap-ids", "Let the snapshotter map the ids of user namespaces, without copying files (containerd 2).");
    private final Argument<Boolean> dryRun = arguments.flag("--dry-run", "Print what would be done, and do nothing.");
    private final Argument<Boolean> restart =
            arguments.flag("--restart", "Restart containerd with systemd if its configuration has changed.");
    private final Argument<String> service =
            arguments.option("--service", "UNIT", "containerd's systemd unit.").or("containerd.service");

    /**
     * The printed result.
     *
     * @param changed whether something was
     * @param changes done, or to be done
     * @param restarted whether containerd was
     * @param restartNeeded whether it is to be
     */
    private record Result(boolean changed, List<String> changes, boolean restarted, boolean restartNeeded) {}

    /** The changes to do. */
    abstract List<Change> changes(Installation installation) throws IOException;

    /** Whether containerd is to know the snapshotter afterwards. */
    abstract boolean installs();

    @Override
    protected void run() throws IOException {
        Installation installation = new Installation(
                new ContainerdConfig(new Containerd(program.get()), config.get()),
                new Snapshotter(name.get(), socket.get(), root.get(), remapIds.get()));
        List<Change> changes = changes(installation);
        boolean changed = !changes.isEmpty() && !dryRun.get();
        if (changed) {
            installation.apply(changes, installs());
        }
        boolean restarted = changed && restart.get();
        if (restarted) {
            restartContainerd();
        }
        List<String> done = changes.stream().map(Change::describe).toList();
        Result result = new Result(changed, done, restarted, changed && !restarted);
        output.print(result, out -> {
            if (changes.isEmpty()) {
                out.println("nothing to do: containerd " + (installs() ? "knows" : "does not know")
                        + " the snapshotter " + name.get());
            }
            for (Change change : changes) {
                out.println((dryRun.get() ? "would " : "") + change.describe());
                if (dryRun.get()) {
                    change.after().ifPresent(text -> text.lines().forEach(line -> out.println("    " + line)));
                }
            }
            if (changed && !restart.get()) {
                out.println(
                        "restart containerd (running containers are not affected): systemctl restart " + service.get());
            }
        });
    }

    private void restartContainerd() throws IOException {
        try {
            int status = new ProcessBuilder("systemctl", "restart", "--", service.get())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IOException(
                        "systemctl could not restart " + service.get() + "; see: journalctl -u " + service.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while containerd was restarted", e);
        }
    }

    /** {@code faasimage node install}. */
    public static final class Install extends NodeConfigurationCommand {
        @Override
        List<Change> changes(Installation installation) throws IOException {
            return installation.install();
        }

        @Override
        boolean installs() {
            return true;
        }
    }

    /** {@code faasimage node uninstall}. */
    public static final class Uninstall extends NodeConfigurationCommand {
        @Override
        List<Change> changes(Installation installation) throws IOException {
            return installation.uninstall();
        }

        @Override
        boolean installs() {
            return false;
        }
    }
}
