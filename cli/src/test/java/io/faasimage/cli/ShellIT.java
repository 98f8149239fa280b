package io.faasimage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion by the shells that it is for. */
final class ShellIT {
    @TempDir
    private Path dir;

    private static String faasimage(String... arguments) {
        StringWriter out = new StringWriter();
        PrintWriter printed = new PrintWriter(out);
        assertThat(Main.run(List.of(arguments), printed, printed)).isZero();
        return out.toString();
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = dir.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(String.join(" ", command) + " does not end");
        }
        String printed = Files.readString(output);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        Files.writeString(dir.resolve("completion"), faasimage("completion"));
        assertThat(bash("faasimage", "no")).contains("node");
        assertThat(bash("faasimage", "node", "")).contains("status", "warm", "prune");
        assertThat(bash("faasimage", "pull", "--na")).contains("--namespace");
        assertThat(bash("faasimage", "register", "x", "--start", "")).contains("early", "complete");
        assertThat(bash("faasimage", "register", "x", "--name", "").strip()).isEmpty();
        assertThat(bash("faasimage", "functions", "delete", "-")).contains("--purge", "--help");
    }

    private String bash(String... words) throws IOException, InterruptedException {
        String list = String.join("\" \"", words);
        return run(
                "bash",
                "-c",
                "source ./completion; COMP_WORDS=(\"" + list + "\"); COMP_CWORD=" + (words.length - 1)
                        + "; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE}; _complete_faasimage;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"");
    }

    @Test
    void zshCompletesCommandsAndOptions() throws IOException, InterruptedException {
        Files.writeString(dir.resolve("_faasimage"), faasimage("completion"));
        run("zsh", "-n", "_faasimage");
        assertThat(zsh("faasimage", "no")).contains("node", "nodes");
        assertThat(zsh("faasimage", "node", "")).contains("status", "warm", "prune");
        assertThat(zsh("faasimage", "pull", "--na")).contains("--namespace");
        assertThat(zsh("faasimage", "register", "x", "--start", "")).contains("early", "complete");
    }

    /** The completion that zsh's bashcompinit has for {@code words}: its own functions stand in for the widget's. */
    private String zsh(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("zsh", "-f", "-c", """
                compdef() { :; }
                compadd() { print -rl -- "${matches[@]}"; }
                source ./_faasimage
                words=("$@")
                CURRENT=$#words
                _bash_complete -o bashdefault -o default -F _complete_faasimage
                """, "zsh"));
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }
}
