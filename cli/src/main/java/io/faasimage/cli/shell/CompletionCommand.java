package io.faasimage.cli.shell;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage completion bash|zsh}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Prints a completion script of this command for a shell.",
            "For bash: source <(faasimage completion bash). For zsh: write it to a file _faasimage in a directory of fpath."
        })
public final class CompletionCommand implements Runnable {
    /** Whom completions are for. */
    public enum Shell {
        /** GNU Bourne-Again Shell. */
        bash,
        /** Z shell. */
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (shell) {
                    // Shells source it, they do not run it.
                    case bash -> AutoComplete.bash(root.getCommandName(), root).replaceFirst("^#!.*\n", "");
                    case zsh -> new ZshCompletion(root).script();
                });
        out.flush();
    }
}
