package io.faasimage.cli.start;

import io.faasimage.api.start.StartSummary;
import io.faasimage.cli.terminal.Ages;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Table;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Starts as rows of a table. */
final class StartRows {
    private StartRows() {}

    static Table table() {
        return new Table(">AGO", "NODE", "FUNCTION", "=CLASS", "=COLD?", ">FILES", ">READY?", ">MOVED", ">ON DEMAND?");
    }

    static String[] cells(StartSummary start, Instant now) {
        Long bytes = start.bytes();
        return new String[] {
            Ages.since(start.startedAt(), now),
            start.node(),
            name(start),
            start.kind().name().toLowerCase(Locale.ROOT),
            start.cold() ? "yes" : "no",
            Ages.seconds(start.micros()),
            Ages.seconds(start.readyMicros()),
            bytes == null ? "-" : Output.bytes(bytes),
            Integer.toString(start.demanded())
        };
    }

    private static String name(StartSummary start) {
        return first(start.function(), start.reference(), start.image());
    }

    private static String first(@Nullable String... names) {
        for (String name : names) {
            if (name != null && !name.isEmpty()) {
                return name;
            }
        }
        return "-";
    }
}
