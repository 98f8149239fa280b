package io.faasimage.cli.command;

import io.faasimage.cli.terminal.Output;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What every command has: its help, and its way of printing. */
@Command(mixinStandardHelpOptions = true, usageHelpAutoWidth = true)
public abstract class CliCommand implements Callable<Integer> {
    @Mixin
    protected Output output;

    /** Does it; returning is success. */
    protected abstract void run() throws IOException;

    @Override
    public Integer call() throws IOException {
        run();
        return ExitCode.DONE;
    }
}
