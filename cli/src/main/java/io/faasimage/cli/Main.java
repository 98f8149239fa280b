package io.faasimage.cli;

import io.faasimage.api.client.ServiceException;
import io.faasimage.cli.command.ExitCode;
import io.faasimage.cli.function.BuildCommand;
import io.faasimage.cli.function.BuildsCommand;
import io.faasimage.cli.function.FunctionsCommand;
import io.faasimage.cli.function.NewCommand;
import io.faasimage.cli.function.RuntimesCommand;
import io.faasimage.cli.image.ImageCommand;
import io.faasimage.cli.image.InspectCommand;
import io.faasimage.cli.image.JobsCommand;
import io.faasimage.cli.image.PullCommand;
import io.faasimage.cli.image.RegisterCommand;
import io.faasimage.cli.image.TraceCommand;
import io.faasimage.cli.node.DoctorCommand;
import io.faasimage.cli.node.NodeCommand;
import io.faasimage.cli.node.NodesCommand;
import io.faasimage.cli.profile.StartProfileCommand;
import io.faasimage.cli.shell.CompletionCommand;
import io.faasimage.cli.shell.ManualCommand;
import io.faasimage.cli.start.StartsCommand;
import io.faasimage.cli.start.TopCommand;
import io.faasimage.cli.terminal.Printable;
import java.io.PrintWriter;
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
            "FAASIMAGE_TOKEN       its token",
            "FAASIMAGE_NODE        the node agent's socket (default /run/faasimage/node.sock)",
            "CONTAINERD_NAMESPACE  namespace of images and containers in containerd (default: default)",
            "NO_COLOR              if not empty, output has no colours",
        },
        subcommands = {
            NewCommand.class,
            BuildCommand.class,
            BuildsCommand.class,
            RegisterCommand.class,
            FunctionsCommand.class,
            ImageCommand.class,
            JobsCommand.class,
            TraceCommand.class,
            PullCommand.class,
            TopCommand.class,
            StartsCommand.class,
            StartProfileCommand.class,
            NodesCommand.class,
            NodeCommand.class,
            RuntimesCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            ManualCommand.class,
        })
public final class Main {
    private Main() {}

    /** Runs the command line and exits. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command with all its parts, ready to be executed. */
    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command.getErr()));
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
