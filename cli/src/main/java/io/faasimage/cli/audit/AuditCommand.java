package io.faasimage.cli.audit;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.command.TimeSpan;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code faasimage audit}. */
public final class AuditCommand extends ServiceCommand {
    private final Argument<String> actor =
            arguments.option("--actor", "TEXT", "Only those by tokens whose name or ID contains it.");
    private final Argument<String> action = arguments.option(
            "--action",
            "ACTION",
            "Only this action, such as function.delete, or all of one kind, such as token or refused.");
    private final Argument<String> object = arguments.option(
            "--object", "TEXT", "Only those of functions, nodes, tokens or images whose name contains it.");
    private final Argument<String> since = arguments.option(
            "--since", "TIME", "Only those since then: 12h or 30d ago, or a time such as 2026-01-31T12:00:00Z.");
    private final Argument<String> until =
            arguments.option("--until", "TIME", "Only those before then, given in the same way.");
    private final Argument<Integer> limit = arguments
            .option("--limit", "N", "Most records to list.", Integer::valueOf)
            .or("50");
    private final Argument<Path> export = arguments.option(
            "--export",
            "FILE",
            "Write all records that match into this file, oldest first, one JSON document a line.",
            Path::of);

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Map<String, String> filters = filters(Instant.now());
        if (export.orNull() == null) {
            filters.put("limit", Integer.toString(limit.get()));
            list(registry.audit().list(filters).items());
            return;
        }
        Path file = export.orNull();
        try (OutputStream out = Files.newOutputStream(file)) {
            registry.audit().export(filters, out);
        }
        long bytes = Files.size(file);
        output.print(
                Map.of("file", file.toString(), "bytes", bytes),
                out -> out.println("wrote " + bytes + " bytes into " + file));
    }

    private void list(List<AuditRecord> records) {
        Table table = new Table("=TIME", "ACTOR", "=ADDRESS?", "=ACTION", "OBJECT");
        output.list(records, AuditRecord::object, table, record -> new String[] {
            record.at().truncatedTo(ChronoUnit.SECONDS).toString(),
            record.name(),
            record.address(),
            record.action(),
            record.object()
        });
    }

    private Map<String, String> filters(Instant now) {
        Map<String, String> filters = new LinkedHashMap<>();
        put(filters, "actor", actor.orNull());
        put(filters, "action", action.orNull());
        put(filters, "object", object.orNull());
        put(filters, "from", since.orNull() == null ? null : moment("--since", since.orNull(), now));
        put(filters, "until", until.orNull() == null ? null : moment("--until", until.orNull(), now));
        return filters;
    }

    private static void put(Map<String, String> filters, String name, @Nullable String value) {
        if (value != null) {
            filters.put(name, value);
        }
    }

    private static String moment(String option, String text, Instant now) {
        return text.contains("T")
                ? text
                : now.minus(TimeSpan.parse(option, text))
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString();
    }
}
