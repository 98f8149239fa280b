package io.faasimage.registry.overview;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.overview.Overview.Wrong;
import io.faasimage.api.start.StartHour;
import io.faasimage.registry.node.Nodes;
import io.faasimage.registry.start.Starts;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The whole in a few numbers. Thread-safe. */
@Service
public class Overviews {
    private static final int MOST_WRONG = 20;
    private static final int MOST_FAILED = 10;

    private final Starts starts;
    private final Nodes nodes;
    private final JdbcClient jdbc;
    private final Clock clock;

    Overviews(Starts starts, Nodes nodes, JdbcClient jdbc, Clock clock) {
        this.starts = starts;
        this.nodes = nodes;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** How things are now. */
    public Overview now() {
        Instant now = clock.instant();
        Instant day = now.truncatedTo(ChronoUnit.DAYS);
        Starts.DaySum today = starts.sum(null, day, now.plus(1, ChronoUnit.HOURS));
        StartHour sum = today.sum();
        List<NodeInfo> all = nodes.all();
        return new Overview(
                jdbc.sql("SELECT COUNT(*) FROM functions").query(Long.class).single(),
                counts("images"),
                all.size(),
                all.stream().filter(NodeInfo::alive).count(),
                counts("jobs"),
                day,
                sum.starts(),
                sum.cold(),
                sum.byClass(),
                sum.medianMicros(),
                sum.p95Micros(),
                sum.bytes(),
                sum.savedBytes(),
                today.compared() == 0 ? null : sum.savedMicros(),
                today.compared(),
                wrong(all, sum));
    }

    private Map<String, Long> counts(String table) {
        Map<String, Long> counts = new LinkedHashMap<>();
        jdbc.sql("SELECT state, COUNT(*) AS many FROM " + table + " GROUP BY state ORDER BY state")
                .query(row -> {
                    counts.put(row.getString("state").toLowerCase(Locale.ROOT), row.getLong("many"));
                });
        return counts;
    }

    private List<Wrong> wrong(List<NodeInfo> all, StartHour today) {
        List<Wrong> wrong = new ArrayList<>();
        for (NodeInfo node : all) {
            String problem = node.report().problem();
            if (!node.alive()) {
                wrong.add(new Wrong(
                        "node", node.name(), "no report since " + node.heard().truncatedTo(ChronoUnit.SECONDS)));
            } else if (problem != null) {
                wrong.add(new Wrong("node", node.name(), "does not use plans: " + problem));
            }
            if (node.report().lost() > 0) {
                wrong.add(new Wrong(
                        "node",
                        node.name(),
                        node.report().lost() + " records of starts were lost while it had no service"));
            }
        }
        jdbc.sql("SELECT digest, error FROM images WHERE state = 'FAILED' ORDER BY created DESC FETCH FIRST "
                        + MOST_FAILED + " ROWS ONLY")
                .query(row -> {
                    wrong.add(new Wrong("image", row.getString("digest"), String.valueOf(row.getString("error"))));
                });
        long refused = today.byClass().getOrDefault("refused", 0L);
        if (refused > 0) {
            wrong.add(new Wrong(
                    "starts", "", refused == 1 ? "1 start was refused today" : refused + " starts were refused today"));
        }
        return wrong.subList(0, Math.min(MOST_WRONG, wrong.size()));
    }
}
