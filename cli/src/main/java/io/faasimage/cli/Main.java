package io.faasimage.cli;

import io.faasimage.api.client.ServiceException;
import io.faasimage.cli.audit.AuditCommand;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.development.DevCommand;
import io.faasimage.cli.function.BuildCommand;
import io.faasimage.cli.function.FunctionsCommand;
import io.faasimage.cli.function.NewCommand;
import io.faasimage.cli.function.RuntimesCommand;
import io.faasimage.cli.image.ImageCommand;
import io.faasimage.cli.image.InspectCommand;
import io.faasimage.cli.image.JobsCommand;
import io.faasimage.cli.image.PullCommand;
import io.faasimage.cli.image.RegisterCommand;
import io.faasimage.cli.image.TraceCommand;
import io.faasimage.cli.key.PlanKeyCommand;
import io.faasimage.cli.library.ProfileCommand;
import io.faasimage.cli.login.RegistryCommand;
import io.faasimage.cli.node.DoctorCommand;
import io.faasimage.cli.node.NodeCommand;
import io.faasimage.cli.node.NodesCommand;
import io.faasimage.cli.profile.StartProfileCommand;
import io.faasimage.cli.shell.CompletionCommand;
import io.faasimage.cli.shell.ManualCommand;
import io.faasimage.cli.start.StartsCommand;
import io.faasimage.cli.start.TopCommand;
import io.faasimage.cli.tenant.TenantCommand;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.token.LoginCommand;
import io.faasimage.cli.token.LogoutCommand;
import io.faasimage.cli.token.TokenCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code faasimage} command. */
@Command(
        name = "faasimage",
        versionProvider = Main.Version.class,
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Cold starts that move only what a function reads.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Done.",
            "1:Refused or failed, or the doctor found something missing.",
            "2:Wrong usage.",
            "3:No answer: registry-service or the node agent is not running, or at another address.",
            "70:A bug in this program; FAASIMAGE_DEBUG=1 shows where."
        },
        footerHeading = "%nEnvironment:%n",
        footer = {
            "FAASIMAGE_URL         registry-service, or A,B (default http://127.0.0.1:8980)",
            "FAASIMAGE_TOKEN       its token (default: that of faasimage login)",
            "FAASIMAGE_TENANT      the tenant for whom an operator acts (default: that of the token)",
            "FAASIMAGE_CA          its certificate authorities, a PEM file",
            "FAASIMAGE_CERT, FAASIMAGE_KEY  a client certificate and its private key, PEM files",
            "FAASIMAGE_INSECURE    true: send the token to another machine over plain HTTP",
            "FAASIMAGE_NODE        the node agent's socket (default /run/faasimage/node.sock)",
            "CONTAINERD_NAMESPACE  namespace of images and containers in containerd (default: default)",
            "NO_COLOR              if not empty, output has no colours",
        })
public final class Main {
    private static final List<Class<?>> COMMANDS = List.of(
            NewCommand.class,
            BuildCommand.class,
            DevCommand.class,
            RegisterCommand.class,
            FunctionsCommand.class,
            ImageCommand.class,
            ProfileCommand.class,
            JobsCommand.class,
            TraceCommand.class,
            PullCommand.class,
            TopCommand.class,
            StartsCommand.class,
            StartProfileCommand.class,
            NodesCommand.class,
            NodeCommand.class,
            RuntimesCommand.class,
            RegistryCommand.class,
            TokenCommand.class,
            TenantCommand.class,
            LoginCommand.class,
            LogoutCommand.class,
            PlanKeyCommand.class,
            AuditCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            ManualCommand.class);
    /** Commands that describe all others. */
    private static final Set<Class<?>> DESCRIBING = Set.of(CompletionCommand.class, ManualCommand.class);

    private Main() {}

    /** Runs the command line and exits. */
    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    /**
     * The command, ready to be executed with {@code args}: with the subcommand that they name, or with all of them.
     * picocli reads the annotations of each subcommand that it gets, which for all takes longer than a pull.
     */
    static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new Main());
        Optional<Class<?>> named = args.length == 0 ? Optional.empty() : named(args[0]);
        named.filter(command -> !DESCRIBING.contains(command))
                .map(List::<Class<?>>of)
                .orElse(COMMANDS)
                .forEach(line::addSubcommand);
        return line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command.getErr()));
    }

    private static Optional<Class<?>> named(String name) {
        return COMMANDS.stream()
                .filter(command -> command.getAnnotation(Command.class).name().equals(name))
                .findFirst();
    }

    private static int failed(Exception failure, PrintWriter err) {
        int code = ExitCode.of(failure);
        @Nullable
        String message = failure instanceof ServiceException refused
                ? refused.detail().orElse(refused.getMessage())
                : failure.getMessage();
        String text = Printable.line(message == null ? failure.toString() : message);
        if (code == ExitCode.FAULT) {
            err.println("error: a bug in faasimage: " + failure.getClass().getSimpleName() + ": " + text
                    + "; FAASIMAGE_DEBUG=1 shows where");
        } else {
            err.println("error: " + text);
        }
        if (System.getenv("FAASIMAGE_DEBUG") != null) {
            failure.printStackTrace(err);
        }
        err.flush();
        return code;
    }

    /** The version of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            @Nullable String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"faasimage " + (version == null ? "development" : version)};
        }
    }
}
