package io.faasimage.cli.start;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.start.StartSummary;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code faasimage starts}. */
public final class StartsCommand extends ServiceCommand {
    private final Argument<String> function = arguments.option("--function", "NAME", "Only those of this function.");
    private final Argument<String> node = arguments.option("--node", "NAME", "Only those on this node.");
    private final Argument<String> kind = arguments.option(
            "--class",
            "lazy|misses|full|refused",
            "Only those of this class: lazy (no misses), misses, full (unplanned image), refused.");
    private final Argument<Integer> limit = arguments
            .option("--limit", "N", "Most starts to list.", Integer::valueOf)
            .or("20");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Map<String, String> filters = new LinkedHashMap<>();
        put(filters, "function", function.orNull());
        put(filters, "node", node.orNull());
        put(filters, "class", kind.orNull());
        filters.put("limit", Integer.toString(limit.get()));
        List<StartSummary> starts = registry.starts().list(filters).items();
        Instant now = Instant.now();
        output.list(starts, StartSummary::id, StartRows.table(), start -> StartRows.cells(start, now));
    }

    private static void put(Map<String, String> filters, String name, @Nullable String value) {
        if (value != null) {
            filters.put(name, value);
        }
    }
}
