package io.faasimage.bench.serving;

import io.faasimage.bench.measure.Spread;
import io.faasimage.bench.measure.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of the serving benchmark.
 *
 * @param throughputs by bundle and number of connections
 * @param pulls the pulls at the same time
 */
public record ServingResult(List<Throughput> throughputs, Pulls pulls) {
    public ServingResult {
        throughputs = List.copyOf(throughputs);
    }

    /**
     * One bundle over some connections; bytes per second.
     *
     * @param bundle its name
     * @param bytes of it
     * @param connections at the same time
     * @param service registry-service
     * @param fileServer the other server
     * @param ratio of the two in one round, which both had the same machine for
     */
    public record Throughput(
            String bundle, long bytes, int connections, Spread service, Spread fileServer, Spread ratio) {}

    /**
     * Whole pulls at the same time, everything unpacked and checked.
     *
     * @param count how many
     * @param failed how many failed
     * @param bytes received by all
     * @param seconds until the last one ended
     */
    public record Pulls(int count, int failed, long bytes, double seconds) {}

    /** The table for people. */
    public String table() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "bundle",
                "MB",
                "connections",
                "service MB/s",
                "min-max",
                "file server MB/s",
                "min-max",
                "ratio",
                "min-max"));
        for (Throughput row : throughputs) {
            rows.add(List.of(
                    row.bundle(),
                    String.format(Locale.ROOT, "%.1f", row.bytes() / 1e6),
                    Integer.toString(row.connections()),
                    String.format(Locale.ROOT, "%.0f", row.service().median() / 1e6),
                    range(row.service()),
                    String.format(Locale.ROOT, "%.0f", row.fileServer().median() / 1e6),
                    range(row.fileServer()),
                    String.format(Locale.ROOT, "%.2f", row.ratio().median()),
                    String.format(
                            Locale.ROOT,
                            "%.2f-%.2f",
                            row.ratio().min(),
                            row.ratio().max())));
        }
        return TextTable.format(rows)
                + String.format(
                        Locale.ROOT,
                        "%d pulls at the same time, unpacked and checked: %d failed, %.0f MB in %.1f s%n",
                        pulls.count(),
                        pulls.failed(),
                        pulls.bytes() / 1e6,
                        pulls.seconds());
    }

    private static String range(Spread spread) {
        return String.format(Locale.ROOT, "%.0f-%.0f", spread.min() / 1e6, spread.max() / 1e6);
    }
}
