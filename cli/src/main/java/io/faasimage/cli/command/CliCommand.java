package io.faasimage.cli.command;

import io.faasimage.cli.terminal.Output;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The base of every command: its help, and its output. */
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
