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

/** The completions by the shells they are for, and the manual page before its critics. */
final class ShellIT {
    @TempDir
    private Path dir;

    private static String faasimage(String... arguments) {
        StringWriter out = new StringWriter();
        assertThat(Main.commandLine(arguments).setOut(new PrintWriter(out)).execute(arguments))
                .isZero();
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
        run("zsh", "-n", "_faasimage");
        assertThat(zsh("faasimage")).contains("node:The node agent of this machine.");
        assertThat(zsh("faasimage", "node")).contains("status:", "warm:", "prune:");
        assertThat(zsh("faasimage", "pull"))
                .contains(
                        "--namespace[containerd's namespace (default\\: $CONTAINERD_NAMESPACE, else default).]:NAMESPACE: ");
        assertThat(zsh("faasimage", "completion")).contains(":SHELL:(bash zsh)");
    }

    /** What the completion offers zsh after {@code words}: its own functions stand in for the widget's. */
    private String zsh(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("zsh", "-f", "-c", """
                compdef() { :; }
                _describe() { print -rl -- "${(@P)2}"; }
                _arguments() {
                  print -rl -- "${@:2}"
                  line=($words)
                  if (( $#words > 1 )); then state=rest; words=("${(@)words[2,-1]}"); line=($words)
                  else state=command; fi
                  [[ $* == *'->rest'* ]] || state=
                  return 1
                }
                words=("$@")
                source ./_faasimage
                _faasimage
                true
                """, "zsh"));
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }

    @Test
    void theManualPageIsFreeOfFaults() throws IOException, InterruptedException {
        Files.writeString(dir.resolve("faasimage.1"), faasimage("manual"));
        // It has no date on purpose: the same sources make the same page.
        assertThat(run("sh", "-c", "mandoc -T lint -W warning faasimage.1 | grep -v 'missing date' || true"))
                .isEmpty();
        assertThat(run("mandoc", "-T", "utf8", "-O", "width=80", "faasimage.1").replaceAll(".\b", ""))
                .contains("faasimage node warm", "EXIT STATUS", "NO_COLOR", "--namespace NAMESPACE")
                .doesNotContain("${");
    }
}
