package io.faasimage.cli.start;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.start.StartSummary;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code faasimage starts}. */
@Command(name = "starts", description = "Lists the newest starts of containers that nodes reported.")
public final class StartsCommand extends ServiceCommand {
    @Option(names = "--function", paramLabel = "NAME", description = "Only those of this function.")
    private @Nullable String function;

    @Option(names = "--node", paramLabel = "NAME", description = "Only those on this node.")
    private @Nullable String node;

    @Option(
            names = "--class",
            paramLabel = "lazy|misses|full|refused",
            description = "Only those of this class: lazy (no misses), misses, full (unplanned image), refused.")
    private @Nullable String kind;

    @Option(names = "--limit", paramLabel = "N", description = "Most starts to list.", defaultValue = "20")
    private int limit;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Map<String, String> filters = new LinkedHashMap<>();
        put(filters, "function", function);
        put(filters, "node", node);
        put(filters, "class", kind);
        filters.put("limit", Integer.toString(limit));
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
