package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.functions.start.RecentStarts;
import io.faasimage.registry.functions.start.StartMark;
import io.faasimage.registry.images.job.JobTable;
import io.faasimage.registry.platform.list.Slice;
import io.faasimage.registry.platform.list.TextFilter;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.plan.PredictionTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** A reader of functions and their images, with a fixed number of queries per page. Thread-safe. */
@Component
class FunctionViews {
    private static final String NAMED =
            " AND (f.name LIKE :text ESCAPE '!' OR LOWER(f.reference) LIKE :text ESCAPE '!')";
    private static final String COLUMNS =
            "SELECT f.name, f.reference, f.image, COALESCE(p.runtime, f.runtime) AS runtime, f.created, i.state,"
                    + " i.compressed_size, i.plan, i.error, t.runs, p.version FROM functions f"
                    + " JOIN images i ON i.digest = f.image LEFT JOIN plans p ON p.digest = i.plan"
                    + " LEFT JOIN traces t ON t.chain = i.top_chain ";

    private final JdbcClient jdbc;
    private final FunctionService functions;
    private final FunctionTable table;
    private final PlanTable plans;
    private final PredictionTable predictions;
    private final PlanComparison comparison;
    private final RecentStarts starts;

    FunctionViews(
            JdbcClient jdbc,
            FunctionService functions,
            FunctionTable table,
            PlanTable plans,
            PredictionTable predictions,
            PlanComparison comparison,
            RecentStarts starts) {
        this.jdbc = jdbc;
        this.functions = functions;
        this.table = table;
        this.plans = plans;
        this.predictions = predictions;
        this.comparison = comparison;
        this.starts = starts;
    }

    /** One page of the functions whose name or image contains {@code query}. */
    public FunctionList list(String query, @Nullable ImageState state, int page) {
        int offset = Slice.offset(page);
        String text = TextFilter.pattern(query);
        String fitting = (state == null ? "" : " JOIN images i ON i.digest = f.image") + " WHERE 1 = 1"
                + (query.isEmpty() ? "" : NAMED)
                + (state == null ? "" : " AND i.state = :state");
        Map<String, Object> parameters = Map.of("text", text, "state", state == null ? "" : state.name());
        long total = jdbc.sql("SELECT COUNT(*) FROM functions f" + fitting)
                .params(parameters)
                .query(Long.class)
                .single();
        List<String> names = jdbc.sql("SELECT f.name FROM functions f" + fitting
                        + " ORDER BY f.name OFFSET :offset ROWS FETCH FIRST " + Slice.SIZE + " ROWS ONLY")
                .params(parameters)
                .param("offset", offset)
                .query(String.class)
                .list();
        return new FunctionList(Slice.of(summaries(names), page, total), query, state);
    }

    private List<FunctionSummary> summaries(Collection<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        List<Row> rows = jdbc.sql(COLUMNS + "WHERE f.name IN (:names) ORDER BY f.name")
                .param("names", names)
                .query(FunctionViews::row)
                .list();
        Map<String, List<SegmentInfo>> segments = segments(
                rows.stream().map(Row::plan).filter(p -> p != null).distinct().toList());
        Map<String, JobInfo> jobs =
                jobs(rows.stream().map(row -> row.summary().digest()).distinct().toList());
        Map<String, List<StartMark>> marks =
                starts.of(rows.stream().map(row -> row.summary().name()).toList());
        return rows.stream().map(row -> completed(row, segments, jobs, marks)).toList();
    }

    private static FunctionSummary completed(
            Row row,
            Map<String, List<SegmentInfo>> segments,
            Map<String, JobInfo> jobs,
            Map<String, List<StartMark>> starts) {
        FunctionSummary bare = row.summary();
        return new FunctionSummary(
                bare.name(),
                bare.image(),
                bare.digest(),
                bare.runtime(),
                bare.state(),
                bare.compressedSize(),
                bare.traceRuns(),
                bare.planVersion(),
                row.plan() == null ? List.of() : segments.getOrDefault(row.plan(), List.of()),
                jobs.get(bare.digest()),
                bare.error(),
                starts.getOrDefault(bare.name(), List.of()),
                bare.created());
    }

    private Map<String, List<SegmentInfo>> segments(Collection<String> plans) {
        Map<String, List<SegmentInfo>> found = new HashMap<>();
        if (!plans.isEmpty()) {
            jdbc.sql("SELECT * FROM plan_segments WHERE plan IN (:plans)"
                            + " ORDER BY CASE segment WHEN 'base' THEN 0 WHEN 'lib' THEN 1 ELSE 2 END")
                    .param("plans", plans)
                    .query(row -> {
                        found.computeIfAbsent(row.getString("plan"), plan -> new java.util.ArrayList<>())
                                .add(new SegmentInfo(
                                        row.getString("segment"),
                                        row.getLong("startup_objects"),
                                        row.getLong("startup_bytes"),
                                        row.getLong("startup_stored"),
                                        row.getLong("objects"),
                                        row.getLong("bytes"),
                                        row.getLong("stored")));
                    });
        }
        return found;
    }

    private Map<String, JobInfo> jobs(Collection<String> images) {
        Map<String, JobInfo> found = new HashMap<>();
        jdbc.sql("SELECT * FROM jobs WHERE image IN (:images) AND state IN ('QUEUED', 'RUNNING')"
                        + " ORDER BY state, created")
                .param("images", images)
                .query((row, number) -> JobTable.job(row))
                .list()
                .forEach(job -> found.merge(
                        job.image(), job, (one, other) -> one.state() == JobInfo.State.RUNNING ? one : other));
        return found;
    }

    /** One function with its libraries and versions. */
    public FunctionDetail get(String name) {
        FunctionInfo function = functions.get(name);
        FunctionSummary summary = summaries(List.of(name)).stream()
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("function '" + name + "' was removed meanwhile"));
        int files = jdbc.sql("SELECT t.files FROM traces t JOIN images i ON i.top_chain = t.chain WHERE i.digest = ?")
                .param(summary.digest())
                .query(Integer.class)
                .optional()
                .orElse(0);
        List<String> sharing = table.of(Digest.parse(summary.digest())).stream()
                .map(FunctionInfo::name)
                .filter(other -> !other.equals(name))
                .toList();
        List<FunctionDetail.Version> versions = List.of();
        @Nullable String damage = null;
        try {
            versions = comparison.versions(summary, function.pinned());
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            damage = e.getMessage();
        }
        return new FunctionDetail(
                summary,
                function,
                files,
                prediction(summary),
                sharing,
                comparison.libraries(summary),
                versions,
                newer(function),
                damage);
    }

    private @Nullable PredictionInfo prediction(FunctionSummary summary) {
        return jdbc.sql("SELECT plan FROM images WHERE digest = ? AND plan IS NOT NULL")
                .param(summary.digest())
                .query(String.class)
                .optional()
                .map(Digest::parse)
                .flatMap(predictions::of)
                .map(all -> new PredictionInfo(all.plan(), all.coverage(), all.sources(), List.of()))
                .orElse(null);
    }

    private int newer(FunctionInfo function) {
        if (function.pinned() == null) {
            return 0;
        }
        return plans.newestOf(Digest.parse(function.digest()))
                .filter(newest -> !newest.toString().equals(function.pinned()))
                .map(plans::version)
                .orElse(0);
    }

    private record Row(FunctionSummary summary, @Nullable String plan) {}

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                new FunctionSummary(
                        row.getString("name"),
                        row.getString("reference"),
                        row.getString("image"),
                        row.getString("runtime"),
                        ImageState.valueOf(row.getString("state")),
                        row.getLong("compressed_size"),
                        row.getInt("runs"),
                        row.getInt("version"),
                        List.of(),
                        null,
                        row.getString("error"),
                        List.of(),
                        row.getObject("created", OffsetDateTime.class).toInstant()),
                row.getString("plan"));
    }
}
