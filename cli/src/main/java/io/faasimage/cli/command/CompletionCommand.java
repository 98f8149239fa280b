package io.faasimage.cli.command;

import io.faasimage.cli.line.Arguments;
import io.faasimage.cli.line.Command;
import io.faasimage.cli.line.CommandNode;
import io.faasimage.cli.line.Completion;
import java.io.PrintWriter;

/** {@code faasimage completion}. */
public final class CompletionCommand implements Command {
    private final Arguments arguments = new Arguments();
    private final CommandNode root;

    /** Completes the commands of {@code root}. */
    public CompletionCommand(CommandNode root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return arguments;
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) {
        out.print(Completion.script(root));
        return ExitCode.DONE;
    }
}
