package io.faasimage.cli.terminal;

import io.faasimage.api.rest.Json;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.line.ArgumentGroup;
import io.faasimage.cli.line.Arguments;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The output of a command: text for people, one JSON document with {@code --json}, or little with {@code --quiet}. */
public final class Output implements ArgumentGroup {
    private final Arguments arguments = new Arguments();
    private final Argument<Boolean> json = arguments.flag("--json", "Print the result as one JSON document.");
    private final Argument<Boolean> quiet = arguments
            .flag("--quiet", "Print no progress, and only errors instead of a result; lists print only names.")
            .alias("-q");
    private PrintWriter out = new PrintWriter(Writer.nullWriter());
    private PrintWriter err = new PrintWriter(Writer.nullWriter());

    @Override
    public Arguments arguments() {
        return arguments;
    }

    /** Prints to these from now on. */
    public void to(PrintWriter output, PrintWriter errors) {
        out = output;
        err = errors;
    }

    /** Prints {@code value} as JSON, or runs {@code text} with the standard output. */
    public void print(Object value, Consumer<PrintWriter> text) {
        show(value, screen -> text.accept(screen.out()));
    }

    /** Prints {@code value} as JSON, or {@code line}, the command's one result, even with {@code --quiet}. */
    public void printLine(Object value, String line) {
        out.println(json.get() ? Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value) : line);
        out.flush();
    }

    /** As {@link #print}, for text that depends on where it is shown. */
    public void show(Object value, Consumer<Screen> text) {
        if (json.get()) {
            out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value));
        } else if (!quiet.get()) {
            text.accept(screen());
        }
        out.flush();
    }

    /** Prints {@code items} as JSON, as a table, or their names. */
    public <T> void list(List<T> items, Function<T, String> name, Table table, Function<T, String[]> cells) {
        if (quiet.get() && !json.get()) {
            items.forEach(item -> out.println(Printable.line(name.apply(item))));
            out.flush();
        } else {
            items.forEach(item -> table.row(cells.apply(item)));
            show(items, table::print);
        }
    }

    /** Whether the result is not to be looked at. */
    public boolean isForPrograms() {
        return json.get() || quiet.get();
    }

    /** The screen for people's text. */
    public Screen screen() {
        return Screen.out(out);
    }

    /** A progress display on standard error. */
    public Progress progress() {
        return quiet.get() ? Progress.none() : Progress.on(Screen.err(err), System::nanoTime);
    }

    /** The destination of messages for people during a run: standard error, or none when they are not wanted. */
    public Optional<PrintWriter> messages() {
        return json.get() || quiet.get() ? Optional.empty() : Optional.of(err);
    }

    /** Bytes for people, powers of 1000. */
    public static String bytes(long bytes) {
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
    public static String percent(long part, long whole) {
        return whole == 0 ? "-" : "%.1f %%".formatted(100.0 * part / whole);
    }
}
