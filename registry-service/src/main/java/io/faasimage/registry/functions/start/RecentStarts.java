package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartKind;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** A reader of the newest cold starts of many functions at once. Thread-safe. */
@Component
public class RecentStarts {
    private static final int MOST = 12;

    /** One index range per function, in one statement. */
    private static final String OF_ONE = "(SELECT function, id, started, kind, cold, " + StartRecordTable.TOOK
            + " AS took FROM start_records WHERE function = ? AND cold = TRUE ORDER BY function, started DESC, id DESC"
            + " FETCH FIRST " + MOST + " ROWS ONLY)";

    private final JdbcClient jdbc;

    RecentStarts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The newest cold starts by function, oldest first; functions without any are missing. */
    public Map<String, List<StartMark>> of(List<String> functions) {
        Map<String, List<StartMark>> found = new HashMap<>();
        if (functions.isEmpty()) {
            return found;
        }
        jdbc.sql(functions.stream().map(function -> OF_ONE).collect(Collectors.joining(" UNION ALL ")))
                .params(List.copyOf(functions))
                .query(row -> {
                    Number micros = (Number) row.getObject("took");
                    found.computeIfAbsent(row.getString("function"), function -> new ArrayList<>())
                            .add(new StartMark(
                                    row.getString("id"),
                                    row.getObject("started", OffsetDateTime.class)
                                            .toInstant(),
                                    StartKind.valueOf(row.getString("kind")),
                                    row.getBoolean("cold"),
                                    micros == null ? null : micros.longValue()));
                });
        found.values().forEach(Collections::reverse);
        return found;
    }
}
