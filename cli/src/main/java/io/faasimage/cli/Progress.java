package io.faasimage.cli;

import java.io.PrintWriter;

/**
 * Progress of long work on standard error: a bar that redraws itself on a terminal, one line per phase elsewhere.
 * Not thread-safe.
 */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 30;

    private final PrintWriter err;
    private final boolean terminal;
    private String phase = "";
    private boolean drawn;

    Progress(PrintWriter err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /** Shows {@code done} of {@code total} (0 when not known) in {@code phase}. */
    void show(String phase, long done, long total) {
        if (terminal) {
            err.print("\r" + line(phase, done, total) + "[K");
            drawn = true;
        } else if (!phase.equals(this.phase)) {
            err.println(phase);
        }
        this.phase = phase;
        err.flush();
    }

    static String line(String phase, long done, long total) {
        if (total <= 0) {
            return done > 0 ? phase + " " + done : phase;
        }
        long shown = Math.min(done, total);
        int filled = (int) (shown * WIDTH / total);
        return "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + shown * 100 / total + " % " + phase;
    }

    @Override
    public void close() {
        if (drawn) {
            err.println();
            err.flush();
        }
    }
}
