package io.faasimage.cli;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code faasimage} command. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "faasimage",
        version = "faasimage 0.1.0",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Cold starts that move only what a function reads.",
        footer = {
            "",
            "Environment: FAASIMAGE_URL (registry-service, default http://127.0.0.1:8980), FAASIMAGE_TOKEN,",
            "FAASIMAGE_NODE (control socket of the node agent, default /run/faasimage/node.sock).",
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
            NodeCommand.class,
            RuntimesCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
        })
public final class Main {
    private Main() {}

    /** Runs the command line and exits. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof IOException || failure instanceof IllegalArgumentException) {
                command.getErr().println("error: " + message(failure));
                command.getErr().flush();
                return 1;
            }
            throw failure;
        });
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
