package io.faasimage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completions in the shells they are for, and the manual page before its critics. */
final class ShellIT {
    @TempDir
    private Path dir;

    private static String faasimage(String... arguments) {
        StringWriter out = new StringWriter();
        assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute(arguments))
                .isZero();
        return out.toString();
    }

    private String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        Files.writeString(dir.resolve("completion"), faasimage("completion", "bash"));
        assertThat(bash("faasimage", "no")).contains("node");
        assertThat(bash("faasimage", "node", "")).contains("status", "warm", "prune");
        assertThat(bash("faasimage", "pull", "--na")).contains("--namespace");
        assertThat(bash("faasimage", "completion", "")).contains("bash", "zsh");
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
        Files.writeString(dir.resolve("_faasimage"), faasimage("completion", "zsh"));
        assertThat(zsh("faasimage no")).contains("node");
        assertThat(zsh("faasimage node w")).contains("warm");
        assertThat(zsh("faasimage pull --names")).contains("--namespace");
        assertThat(zsh("faasimage completion z")).contains("zsh");
    }

    /** What a line becomes when Tab is pressed at its end, in a terminal of zsh's own. */
    private String zsh(String line) throws IOException, InterruptedException {
        return run("zsh", "-f", "-c", """
                zmodload zsh/zpty
                fpath=("$PWD" $fpath)
                zpty shell 'PS1= zsh -f -i'
                zpty -w shell "fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump; bindkey '^I' complete-word; print READY"
                zpty -r shell before '*READY*READY*'
                zpty -w -n shell '%s'$'\\t'$'\\C-a''print "<'$'\\C-e''>"'$'\\n'
                zpty -r shell after '*<*>*<*>*'
                print -r -- "$after"
                zpty -d shell
                """.formatted(line));
    }

    @Test
    void theManualPageIsFreeOfFaults() throws IOException, InterruptedException {
        Path page = Files.writeString(dir.resolve("faasimage.1"), faasimage("manual"));
        assertThat(run("mandoc", "-T", "lint", "-W", "warning", page.toString()))
                .isEmpty();
        assertThat(run("mandoc", "-T", "utf8", "-O", "width=80", page.toString())
                        .replaceAll(".\b", ""))
                .contains("faasimage node warm", "EXIT STATUS", "NO_COLOR", "--namespace NAMESPACE")
                .doesNotContain("${");
    }
}
