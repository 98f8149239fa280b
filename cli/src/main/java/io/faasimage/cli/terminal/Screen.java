package io.faasimage.cli.terminal;

import io.faasimage.linux.TerminalSize;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;

/**
 * The terminal or file that a command prints to.
 *
 * @param out takes it
 * @param terminal whether someone looks at it there, rather than a file or a program
 * @param width characters in a line; nothing is shortened elsewhere than on a terminal
 * @param height lines
 * @param colour whether colours are wanted
 */
public record Screen(PrintWriter out, boolean terminal, int width, int height, boolean colour) {
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final Map<String, String> STATES = Map.ofEntries(
            Map.entry("ok", "32"),
            Map.entry("DONE", "32"),
            Map.entry("PLANNED", "32"),
            Map.entry("lazy", "32"),
            Map.entry("advice", "33"),
            Map.entry("misses", "33"),
            Map.entry("RUNNING", "33"),
            Map.entry("REFACTORING", "33"),
            Map.entry("MISSING", "31"),
            Map.entry("FAILED", "31"),
            Map.entry("silent", "31"),
            Map.entry("refused", "31"));

    /** Standard output. */
    static Screen out(PrintWriter out) {
        return of(out, OUT);
    }

    /** Standard error. */
    static Screen err(PrintWriter err) {
        return of(err, ERR);
    }

    /** An output that is no terminal. */
    public static Screen plain(PrintWriter out) {
        return new Screen(out, false, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    }

    /** This one, with its text going to {@code other}. */
    public Screen into(PrintWriter other) {
        return new Screen(other, terminal, width, height, colour);
    }

    private static Screen of(PrintWriter out, int descriptor) {
        Optional<TerminalSize> size = TerminalSize.of(descriptor);
        return size.map(s -> new Screen(out, true, s.columns(), s.rows(), wantsColour(System.getenv())))
                .orElseGet(() -> plain(out));
    }

    /** As no-color.org has it: any value of NO_COLOR that is not empty. */
    static boolean wantsColour(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    /** {@code text} as the name of a column. */
    public String heading(String text) {
        return in("1", text);
    }

    /** {@code text} in the colour of the state that it names, if it names one. */
    public String state(String text) {
        String code = STATES.get(text);
        return code == null ? text : in(code, text);
    }

    private String in(String code, String text) {
        return colour ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
