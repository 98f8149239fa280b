package io.faasimage.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How things look on terminals of every width, and elsewhere. */
final class ScreenTest {
    private static final String IMAGE = "registry.example.org:5000/team/a-function-with-a-long-name:2026-11-21";

    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);

    private Screen terminal(int width) {
        return new Screen(out, true, width, 24, false);
    }

    private static Table table() {
        Table table = new Table("NAME", "STATE", "IMAGE", ">SIZE");
        table.row("a-function-with-a-long-name", "REFACTORING", IMAGE, "107.7 MB");
        table.row("b", "PLANNED", "r/b:1", "1 B");
        return table;
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 72, 80, 100})
    void aTableFitsTheTerminal(int width) {
        table().print(terminal(width));
        assertThat(text.toString().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width))
                .anySatisfy(line -> assertThat(line).contains("…").endsWith("107.7 MB"))
                .anySatisfy(line -> assertThat(line).startsWith("b ").endsWith("     1 B"));
    }

    @Test
    void nothingIsShortenedForAProgram() {
        table().print(Screen.plain(out));
        assertThat(text.toString()).contains(IMAGE).doesNotContain("…", "\033");
    }

    @Test
    void textOfOthersCannotCommandTheTerminal() {
        Table table = new Table("NAME");
        table.row("x\033[2J\u202e\u0007\ny");
        table.print(terminal(80));
        assertThat(text.toString()).isEqualTo("NAME\nx?[2J?? y\n");
    }

    @Test
    void coloursAreForTerminalsOfThoseWhoWantThem() {
        assertThat(Screen.wantsColour(Map.of("TERM", "xterm"))).isTrue();
        assertThat(Screen.wantsColour(Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
        assertThat(Screen.wantsColour(Map.of("TERM", "xterm", "NO_COLOR", "0"))).isFalse();
        assertThat(Screen.wantsColour(Map.of("TERM", "dumb"))).isFalse();
        assertThat(Screen.wantsColour(Map.of())).isFalse();
        Screen coloured = new Screen(out, true, 80, 24, true);
        assertThat(coloured.state("FAILED")).isEqualTo("\033[31mFAILED\033[0m");
        assertThat(coloured.state("a name")).isEqualTo("a name");
    }

    @Test
    void withoutATerminalProgressIsAFewLines() {
        AtomicLong now = new AtomicLong();
        try (Progress progress = Progress.on(Screen.plain(out), now::get)) {
            for (int done = 0; done <= 100; done++) {
                progress.show("lib", done, 1000);
                now.addAndGet(Duration.ofMillis(100).toNanos());
            }
            progress.show("func", 1, 10);
        }
        assertThat(text.toString()).isEqualTo("lib\nlib 5 %\nlib 10 %\nfunc\n");
    }

    @Test
    void onATerminalTheBarIsRedrawnInItsLineTenTimesASecond() {
        AtomicLong now = new AtomicLong();
        try (Progress progress = Progress.on(terminal(40), now::get)) {
            for (int done = 0; done < 1000; done++) {
                progress.show("a phase with a name that is long", done, 1000);
                now.addAndGet(Duration.ofMillis(1).toNanos());
            }
        }
        assertThat(text.toString().split("\r", -1))
                .hasSizeBetween(10, 13)
                .allSatisfy(line ->
                        assertThat(line.replace("\033[K", "").strip().length()).isLessThan(40));
        assertThat(text.toString()).endsWith("\033[K\n");
    }
}
