package io.faasimage.cli;

import static io.faasimage.cli.line.CommandNode.command;
import static io.faasimage.cli.line.CommandNode.group;

import io.faasimage.cli.audit.AuditCommand;
import io.faasimage.cli.command.CompletionCommand;
import io.faasimage.cli.development.DevCommand;
import io.faasimage.cli.function.BuildCommand;
import io.faasimage.cli.function.FunctionsCommand;
import io.faasimage.cli.function.NewCommand;
import io.faasimage.cli.function.RuntimesCommand;
import io.faasimage.cli.image.ImageCommand;
import io.faasimage.cli.image.InspectCommand;
import io.faasimage.cli.image.JobsCommand;
import io.faasimage.cli.image.PredictionCommand;
import io.faasimage.cli.image.PublishCommand;
import io.faasimage.cli.image.PullCommand;
import io.faasimage.cli.image.RegisterCommand;
import io.faasimage.cli.image.TraceCommand;
import io.faasimage.cli.key.PlanKeyCommand;
import io.faasimage.cli.library.ProfileCommand;
import io.faasimage.cli.line.CommandNode;
import io.faasimage.cli.node.DoctorCommand;
import io.faasimage.cli.node.NodeCommand;
import io.faasimage.cli.node.NodeConfigurationCommand;
import io.faasimage.cli.node.NodesCommand;
import io.faasimage.cli.start.StartsCommand;
import io.faasimage.cli.start.TopCommand;
import io.faasimage.cli.token.LoginCommand;
import io.faasimage.cli.token.LogoutCommand;
import io.faasimage.cli.token.TokenCommand;

/** The table of all commands. The class of a command is loaded only when it is chosen. */
final class CommandTable {
    /** The table. */
    static final CommandNode ROOT = group(
            "faasimage",
            "Cold starts that move only what a function reads.",
            command(
                    "new",
                    () -> new NewCommand(),
                    "Creates a function that builds, deploys and answers, in python, node, php or ruby."),
            command(
                    "build",
                    () -> new BuildCommand(),
                    "Builds a function's image from its code, pushes it, and registers the function."),
            command(
                    "dev",
                    () -> new DevCommand(),
                    "Builds a function and starts it on this machine, again after each change of its code.\n"
                            + "Prints the time of every step. A failed build is shown, and the last version keeps "
                            + "running; Ctrl-C ends it."),
            command(
                    "register",
                    () -> new RegisterCommand(),
                    "Registers a function's image. Its first start is traced; then its cold starts are short."),
            command(
                    "functions",
                    () -> new FunctionsCommand(),
                    "Lists the registered functions.",
                    command("delete", () -> new FunctionsCommand.Delete(), "Deletes a function."),
                    command(
                            "pin",
                            () -> new FunctionsCommand.Pin(),
                            "Pins a function's image to its present plan: newer plans are made but not used."),
                    command(
                            "unpin",
                            () -> new FunctionsCommand.Unpin(),
                            "Unpins a function's image: nodes get its newest plan again.")),
            command(
                    "image",
                    () -> new ImageCommand(),
                    "Lists the registered images.",
                    command(
                            "inspect",
                            () -> new ImageCommand.Inspect(),
                            "Shows an image's segments, libraries, and how much of it a start needs."),
                    command(
                            "prediction",
                            () -> new PredictionCommand(),
                            "Shows the evidence of an image's predicted plan, and how certain it is."),
                    command(
                            "refactor",
                            () -> new ImageCommand.Refactor(),
                            "Refactors an image again from its stored trace, and waits.")),
            command(
                    "profile",
                    () -> new ProfileCommand(),
                    "Lists the libraries and runtimes whose start-up reads are known from traces of functions.",
                    command(
                            "show",
                            () -> new ProfileCommand.Show(),
                            "Shows which files of a library or runtime starts read."),
                    command(
                            "export",
                            () -> new ProfileCommand.Export(),
                            "Writes all profiles into a file, for another service to import."),
                    command(
                            "import",
                            () -> new ProfileCommand.Import(),
                            "Replaces the imported profiles by those of a file. Starts of this service's own "
                                    + "functions count beside them.")),
            command("jobs", () -> new JobsCommand(), "Lists the refactor jobs."),
            command(
                    "trace",
                    () -> new TraceCommand(),
                    "Starts a registered image once on this node, records what the start reads, and "
                            + "refactors the image.\n"
                            + "The trace is merged with earlier ones."),
            command(
                    "publish",
                    () -> new PublishCommand(),
                    "Makes a plan of an image, signs it, and puts it beside the image in its registry; no service is"
                            + " needed.\n"
                            + "Nodes with --plans registry and the public key as --plan-key use it. Run it after each"
                            + " push of the image."),
            command(
                    "pull",
                    () -> new PullCommand(),
                    "Pulls an image into containerd through faasimage, with any version of "
                            + "containerd.\n"
                            + "An image without a plan is pulled layer by layer; the reason is printed.\n"
                            + "With --wait, a prefetch list that is incomplete at the end is a failure."),
            command(
                    "top",
                    () -> new TopCommand(),
                    "Shows a live view of nodes and starts; Ctrl-C ends it.\n"
                            + "Without a terminal, or with --once or --json, it prints once."),
            command("starts", () -> new StartsCommand(), "Lists the newest starts of containers that nodes reported."),
            command("nodes", () -> new NodesCommand(), "Lists the nodes that report to registry-service."),
            group(
                    "node",
                    "The node agent of this machine.",
                    command(
                            "status",
                            () -> new NodeCommand.Status(),
                            "Shows the state of the node agent: plans, objects, gate, service, recent events."),
                    command(
                            "warm",
                            () -> new NodeCommand.Warm(),
                            "Fetches the base segment of a language runtime to this node, before any "
                                    + "function of it starts here.\n"
                                    + "The first function of that runtime then need not wait for the shared files."),
                    command(
                            "prune",
                            () -> new NodeCommand.Prune(),
                            "Drops the objects and metadata images that no plan on this node needs. Safe at "
                                    + "any time: those needed later are fetched again."),
                    command(
                            "install",
                            () -> new NodeConfigurationCommand.Install(),
                            "Adds the snapshotter to containerd's configuration, in a file of its own beside "
                                    + "it.\n"
                                    + "If containerd rejects the result, everything is restored. Running it again "
                                    + "changes nothing."),
                    command(
                            "uninstall",
                            () -> new NodeConfigurationCommand.Uninstall(),
                            "Reverts `faasimage node install`.\n"
                                    + "Fails while containerd's configuration selects the snapshotter somewhere.")),
            command(
                    "runtimes",
                    () -> new RuntimesCommand(),
                    "Lists the language runtimes of planned images; `faasimage node warm` fetches one to a node."),
            group(
                    "token",
                    "The tokens that registry-service accepts.",
                    command(
                            "create",
                            () -> new TokenCommand.Create(),
                            "Creates a token and prints it, this one time.\n"
                                    + "To replace a token, create another one with the same name, give it to its "
                                    + "users, and revoke the first."),
                    command(
                            "list",
                            () -> new TokenCommand.ListAll(),
                            "Lists the tokens, newest first, without their secrets."),
                    command(
                            "revoke",
                            () -> new TokenCommand.Revoke(),
                            "Revokes a token: within five seconds no service accepts it. With a node's "
                                    + "identity, all identities of that node end.")),
            command(
                    "login",
                    () -> new LoginCommand(),
                    "Keeps a token for the service at this address, in ~/.config/faasimage/tokens "
                            + "(or below $XDG_CONFIG_HOME), which only you can read.\n"
                            + "Commands present it to this address when neither --token nor $FAASIMAGE_TOKEN "
                            + "is set. The token is one that an administrator created, or one of the OpenID "
                            + "Connect provider."),
            command(
                    "logout",
                    () -> new LogoutCommand(),
                    "Removes the token that `faasimage login` keeps for the service at this address. "
                            + "The token stays valid until it expires or is revoked."),
            group(
                    "plan-key",
                    "The keys that registry-service signs plans with.",
                    command(
                            "show",
                            () -> new PlanKeyCommand.Show(),
                            "Prints the public key that plans are signed with, as nodes take it: "
                                    + "faasimage-node --plan-key FILE.\n"
                                    + "Compare its ID with the one in the service's log when you do not trust the "
                                    + "connection.")),
            command(
                    "audit",
                    () -> new AuditCommand(),
                    "Lists the changes at registry-service with their actors and addresses, newest first.\n"
                            + "With --json, also the states before and afterwards. Requires a token with the "
                            + "scope admin."),
            command(
                    "inspect",
                    () -> new InspectCommand(),
                    "Checks and shows a file of faasimage's own formats: a plan, a trace or a metadata image."),
            command(
                    "doctor",
                    () -> new DoctorCommand(),
                    "Checks the requirements of faasimage on this machine, and names the remedy of each problem."),
            command(
                    "completion",
                    () -> new CompletionCommand(CommandTable.ROOT),
                    "Prints the completion of this command for bash and zsh: source <(faasimage completion)."));

    private CommandTable() {}
}
