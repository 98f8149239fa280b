package io.faasimage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.cli.line.CommandNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CommandTableTest {
    private static Stream<String> paths(CommandNode node) {
        return node.subcommands().stream()
                .flatMap(subcommand -> Stream.concat(
                        Stream.of(subcommand.name()), paths(subcommand).map(path -> subcommand.name() + " " + path)));
    }

    private static String printed(List<String> words) {
        StringWriter out = new StringWriter();
        assertThat(Main.run(words, new PrintWriter(out), new PrintWriter(out))).isZero();
        return out.toString();
    }

    @Test
    void everyCommandIsMadeAndDocumentedAndCompleted() {
        String completion = printed(List.of("completion"));
        assertThat(paths(CommandTable.ROOT)).isNotEmpty().allSatisfy(path -> {
            List<String> words = new ArrayList<>(List.of(path.split(" ", -1)));
            words.add("--help");
            assertThat(printed(words).lines().toList()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 120);
            assertThat(completion).contains("'faasimage " + path + "') names=");
        });
    }

    @Test
    void theVersionLoadsNoCommandAndACommandNoOther() throws IOException, InterruptedException {
        assertThat(loaded("--version")).containsExactlyInAnyOrder("io.faasimage.cli.Main");
        assertThat(loaded("pull", "x", "--node-socket", "/none"))
                .contains("io.faasimage.cli.image.PullCommand")
                .filteredOn(name -> name.endsWith("Command"))
                .containsExactlyInAnyOrder(
                        "io.faasimage.cli.line.Command",
                        "io.faasimage.cli.command.CliCommand",
                        "io.faasimage.cli.command.NodeAgentCommand",
                        "io.faasimage.cli.image.PullCommand");
        assertThat(loaded("pull", "x", "--node-socket", "/none"))
                .noneMatch(name -> name.startsWith("tools.jackson.databind."));
    }

    /** The classes, other than those that the JVM always has, that a run loads. */
    private static List<String> loaded(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:stdout:none",
                "-cp",
                System.getProperty("java.class.path"),
                "io.faasimage.cli.Main"));
        command.addAll(List.of(words));
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        java.waitFor();
        return output.lines()
                .filter(line -> line.contains(" source: "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .filter(name -> name.startsWith("io.faasimage.") || name.startsWith("tools.jackson.databind."))
                .filter(name -> !name.contains("$$Lambda"))
                .toList();
    }
}
