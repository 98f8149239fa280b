package io.faasimage.cli.terminal;

import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Progress of long work on standard error: a bar that redraws itself on a terminal; elsewhere a line for each phase,
 * and one every few seconds within a phase. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final long REDRAW_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LINE_NANOS = Duration.ofSeconds(5).toNanos();

    private final PrintWriter err;
    private final Way way;
    private final int columns;
    private final LongSupplier nanos;
    private String phase = "";
    private boolean drawn;
    private long next;

    private enum Way {
        BAR,
        LINES,
        NONE
    }

    private Progress(PrintWriter err, Way way, int columns, LongSupplier nanos) {
        this.err = err;
        this.way = way;
        this.columns = columns;
        this.nanos = nanos;
    }

    /** On {@code screen}, by the clock {@code nanos}. */
    static Progress on(Screen screen, LongSupplier nanos) {
        return new Progress(screen.out(), screen.terminal() ? Way.BAR : Way.LINES, screen.width(), nanos);
    }

    /** A progress that shows nothing. */
    public static Progress none() {
        return new Progress(new PrintWriter(Writer.nullWriter()), Way.NONE, 0, () -> 0);
    }

    /** Shows {@code done} of {@code total} (0 when not known) in {@code phase}. */
    public void show(String phase, long done, long total) {
        long now = nanos.getAsLong();
        boolean changed = !phase.equals(this.phase);
        if (way == Way.NONE || (!changed && now - next < 0 && done < total)) {
            return;
        }
        if (way == Way.BAR) {
            // One column stays free: a full line would wrap, and could not be redrawn.
            err.print("\r" + Printable.fit(line(phase, done, total), Math.max(1, columns - 1)) + "\033[K");
            drawn = true;
            next = now + REDRAW_NANOS;
        } else if (changed || now - next >= 0) {
            err.println(changed ? Printable.line(phase) : plain(phase, done, total));
            next = now + LINE_NANOS;
        }
        this.phase = phase;
        err.flush();
    }

    /** The bar. */
    public static String line(String phase, long done, long total) {
        String name = Printable.line(phase);
        if (total <= 0) {
            return done > 0 ? name + " " + done : name;
        }
        long shown = Math.clamp(done, 0, total);
        int filled = (int) ((double) shown / total * WIDTH);
        return "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + percent(shown, total) + " % " + name;
    }

    private static String plain(String phase, long done, long total) {
        String name = Printable.line(phase);
        return total <= 0 ? name + " " + done : name + " " + percent(Math.clamp(done, 0, total), total) + " %";
    }

    private static long percent(long shown, long total) {
        return (long) ((double) shown / total * 100);
    }

    @Override
    public void close() {
        if (drawn) {
            err.println();
            err.flush();
        }
    }
}
