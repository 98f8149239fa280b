package io.faasimage.cli.node;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.containerd.Change;
import io.faasimage.cli.containerd.Containerd;
import io.faasimage.cli.containerd.ContainerdConfig;
import io.faasimage.cli.containerd.Installation;
import io.faasimage.cli.containerd.Snapshotter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The base of {@code faasimage node install} and {@code uninstall}: the change of one containerd's configuration. */
@Command
abstract class NodeConfigurationCommand extends CliCommand {
    @Option(
            names = "--containerd-config",
            description = "containerd's configuration (default: ${DEFAULT-VALUE}).",
            defaultValue = "/etc/containerd/config.toml")
    private Path config;

    @Option(
            names = "--containerd-program",
            description =
                    "The containerd program, which prints its effective configuration (default: ${DEFAULT-VALUE}).",
            defaultValue = "containerd")
    private String program;

    @Option(
            names = "--name",
            description = "The snapshotter's name (default: ${DEFAULT-VALUE}).",
            defaultValue = "faasimage")
    private String name;

    @Option(
            names = "--snapshotter-socket",
            description = "Where the node agent listens for this containerd (default: ${DEFAULT-VALUE}).",
            defaultValue = "/run/faasimage/snapshotter.sock")
    private Path socket;

    @Option(
            names = "--root",
            description = "The node agent's state directory (default: ${DEFAULT-VALUE}).",
            defaultValue = "/var/lib/faasimage")
    private Path root;

    @Option(
            names = "--remap-ids",
            description = "Let the snapshotter map the ids of user namespaces, without copying files (containerd 2).")
    private boolean remapIds;

    @Option(names = "--dry-run", description = "Print what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--restart", description = "Restart containerd with systemd if its configuration has changed.")
    private boolean restart;

    @Option(
            names = "--service",
            description = "containerd's systemd unit (default: ${DEFAULT-VALUE}).",
            defaultValue = "containerd.service")
    private String service;

    /**
     * What is printed.
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
                new ContainerdConfig(new Containerd(program), config), new Snapshotter(name, socket, root, remapIds));
        List<Change> changes = changes(installation);
        boolean changed = !changes.isEmpty() && !dryRun;
        if (changed) {
            installation.apply(changes, installs());
        }
        boolean restarted = changed && restart;
        if (restarted) {
            restartContainerd();
        }
        List<String> done = changes.stream().map(Change::describe).toList();
        Result result = new Result(changed, done, restarted, changed && !restarted);
        output.print(result, out -> {
            if (changes.isEmpty()) {
                out.println("nothing to do: containerd " + (installs() ? "knows" : "does not know")
                        + " the snapshotter " + name);
            }
            for (Change change : changes) {
                out.println((dryRun ? "would " : "") + change.describe());
                if (dryRun) {
                    change.after().ifPresent(text -> text.lines().forEach(line -> out.println("    " + line)));
                }
            }
            if (changed && !restart) {
                out.println("restart containerd (running containers are not affected): systemctl restart " + service);
            }
        });
    }

    private void restartContainerd() throws IOException {
        try {
            int status = new ProcessBuilder("systemctl", "restart", "--", service)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IOException("systemctl could not restart " + service + "; see: journalctl -u " + service);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while containerd was restarted", e);
        }
    }

    /** {@code faasimage node install}. */
    @Command(
            name = "install",
            description = {
                "Adds the snapshotter to containerd's configuration, in a file of its own beside it.",
                "If containerd rejects the result, everything is restored. Running it again changes nothing."
            })
    static final class Install extends NodeConfigurationCommand {
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
    @Command(
            name = "uninstall",
            description = {
                "Reverts what `faasimage node install` did.",
                "Fails while containerd's configuration selects the snapshotter somewhere."
            })
    static final class Uninstall extends NodeConfigurationCommand {
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
