package io.faasimage.cli.command;

import io.faasimage.cli.line.Arguments;
import io.faasimage.cli.line.Command;
import io.faasimage.cli.terminal.Output;
import java.io.IOException;
import java.io.PrintWriter;

/** The base of nearly every command: its arguments, and its output. */
public abstract class CliCommand implements Command {
    protected final Arguments arguments = new Arguments();
    protected final Output output = arguments.with(new Output());

    @Override
    public final Arguments arguments() {
        return arguments;
    }

    @Override
    public final int run(PrintWriter out, PrintWriter err) throws IOException {
        output.to(out, err);
        return call();
    }

    /** Runs it; the exit code. */
    protected int call() throws IOException {
        run();
        return ExitCode.DONE;
    }

    /** Runs it; returning is success. */
    protected abstract void run() throws IOException;
}
