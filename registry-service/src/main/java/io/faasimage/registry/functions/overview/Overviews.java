package io.faasimage.registry.functions.overview;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.overview.Overview.Wrong;
import io.faasimage.api.start.StartHour;
import io.faasimage.registry.functions.node.Nodes;
import io.faasimage.registry.functions.start.StartRange;
import io.faasimage.registry.functions.start.StartSeries;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.platform.list.SlowView;
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
    /** The hours that it covers. */
    public static final int SPAN_HOURS = 24;

    private static final int MOST_WRONG = 20;
    private static final int MOST_FAILED = 10;

    private final Starts starts;
    private final Nodes nodes;
    private final JdbcClient jdbc;
    private final Clock clock;
    private final SlowView<Day> view = new SlowView<>("overview", this::read);

    Overviews(Starts starts, Nodes nodes, JdbcClient jdbc, Clock clock) {
        this.starts = starts;
        this.nodes = nodes;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * The whole in a few numbers, and the hours that they are sums of.
     *
     * @param hours that had starts
     * @param until end of the last one
     */
    public record Day(Overview overview, List<StartHour> hours, Instant until) {
        public Day {
            hours = List.copyOf(hours);
        }
    }

    /** The present state of the service; with many starts, that of some seconds ago. */
    public Day now() {
        return view.get();
    }

    private Day read() {
        StartRange range = StartRange.newest(null, SPAN_HOURS, clock.instant());
        StartSeries series = starts.series(range);
        return new Day(overview(range.from(), series.total()), series.hours(), range.until());
    }

    private Overview overview(Instant since, StartHour sum) {
        List<NodeInfo> all = nodes.all();
        long known = sum.compared() + sum.estimated();
        return new Overview(
                jdbc.sql("SELECT COUNT(*) FROM functions").query(Long.class).single(),
                counts("images"),
                all.size(),
                all.stream().filter(NodeInfo::alive).count(),
                counts("jobs"),
                since,
                sum.starts(),
                sum.cold(),
                sum.byClass(),
                sum.medianMicros(),
                sum.p95Micros(),
                sum.bytes(),
                sum.savedBytes(),
                known == 0 ? null : sum.savedMicros(),
                sum.compared(),
                sum.estimated(),
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

    private List<Wrong> wrong(List<NodeInfo> all, StartHour day) {
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
        long refused = day.byClass().getOrDefault("refused", 0L);
        if (refused > 0) {
            wrong.add(new Wrong(
                    "starts",
                    "",
                    (refused == 1 ? "1 start was" : refused + " starts were") + " refused in the last 24 hours"));
        }
        return wrong.subList(0, Math.min(MOST_WRONG, wrong.size()));
    }
}
