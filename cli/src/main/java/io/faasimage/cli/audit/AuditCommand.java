package io.faasimage.cli.audit;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.command.TimeSpan;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code faasimage audit}. */
@Command(
        name = "audit",
        description = {
            "Lists who changed what at registry-service, from where, newest first.",
            "With --json, also what it was before and afterwards. Requires a token with the scope admin."
        })
public final class AuditCommand extends ServiceCommand {
    @Option(names = "--actor", paramLabel = "TEXT", description = "Only those by tokens whose name or ID contains it.")
    private @Nullable String actor;

    @Option(
            names = "--action",
            paramLabel = "ACTION",
            description = "Only this action, such as function.delete, or all of one kind, such as token or refused.")
    private @Nullable String action;

    @Option(
            names = "--object",
            paramLabel = "TEXT",
            description = "Only those of functions, nodes, tokens or images whose name contains it.")
    private @Nullable String object;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only those since then: 12h or 30d ago, or a time such as 2026-01-31T12:00:00Z.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only those before then, given in the same way.")
    private @Nullable String until;

    @Option(names = "--limit", paramLabel = "N", description = "Most records to list.", defaultValue = "50")
    private int limit;

    @Option(
            names = "--export",
            paramLabel = "FILE",
            description = "Write all records that match into this file, oldest first, one JSON document a line.")
    private @Nullable Path export;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        Map<String, String> filters = filters(Instant.now());
        if (export == null) {
            filters.put("limit", Integer.toString(limit));
            list(registry.audit().list(filters).items());
            return;
        }
        Path file = export;
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
        put(filters, "actor", actor);
        put(filters, "action", action);
        put(filters, "object", object);
        put(filters, "from", since == null ? null : moment("--since", since, now));
        put(filters, "until", until == null ? null : moment("--until", until, now));
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
