package io.faasimage.cli;

import io.faasimage.api.Json;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints: text for people, or one JSON document on standard output with {@code --json}. */
final class Output {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean json;

    /** Prints {@code value} as JSON, or runs {@code text} with the standard output. */
    void print(Object value, java.util.function.Consumer<PrintWriter> text) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value));
        } else {
            text.accept(out);
        }
        out.flush();
    }

    /** A progress display on standard error. */
    Progress progress() {
        return new Progress(spec.commandLine().getErr(), isTerminal() && !json);
    }

    /** Where messages for people go while something runs: standard error, or nowhere when the result is JSON. */
    Optional<PrintWriter> messages() {
        return json ? Optional.empty() : Optional.of(spec.commandLine().getErr());
    }

    /** The JDK 25 default console is null when there is no terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** Bytes for people, powers of 1000. */
    static String bytes(long bytes) {
        if (bytes < 1000) {
            return bytes + " B";
        }
        String[] units = {"kB", "MB", "GB", "TB"};
        double value = bytes;
        int unit = -1;
        do {
            value /= 1000;
            unit++;
        } while (value >= 999.95 && unit < units.length - 1);
        return "%.1f %s".formatted(value, units[unit]);
    }

    /** {@code part} of {@code whole} in percent; "-" when there is no whole. */
    static String percent(long part, long whole) {
        return whole == 0 ? "-" : "%.1f %%".formatted(100.0 * part / whole);
    }
}
