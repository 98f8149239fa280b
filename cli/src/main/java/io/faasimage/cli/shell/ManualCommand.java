package io.faasimage.cli.shell;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code faasimage manual}: the manual page, for those who package this. */
@Command(
        name = "manual",
        mixinStandardHelpOptions = true,
        hidden = true,
        description = "Prints the manual page in man(7) format; read it with: faasimage manual | man -l -")
public final class ManualCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(new ManualPage(spec.root()).text());
        out.flush();
    }
}
