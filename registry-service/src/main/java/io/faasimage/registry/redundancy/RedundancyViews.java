package io.faasimage.registry.redundancy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.list.TextFilter;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A comparison of the content of functions pair by pair, from their plans. At most {@value #COMPARED} functions and
 * {@value #MAX_OBJECTS} objects are compared; what plans have in them is kept for the next request. Thread-safe: plans
 * are read without a lock, because their store may be slow, and compared one request after the other.
 */
@Component
class RedundancyViews {
    private static final int COMPARED = 24;
    private static final int MAX_OBJECTS = 500_000;
    private static final String NAMED =
            " AND (f.name LIKE :text ESCAPE '!' OR LOWER(f.reference) LIKE :text ESCAPE '!')";

    private final JdbcClient jdbc;
    private final PlanFiles files;
    private final Map<Digest, PlanContent> contents = new LinkedHashMap<>(16, 0.75f, true);

    RedundancyViews(JdbcClient jdbc, PlanFiles files) {
        this.jdbc = jdbc;
        this.files = files;
    }

    private record Candidate(Digest plan, String function) {}

    /**
     * What the functions whose name or image contains {@code query} have in common; {@code segment} null for
     * everything.
     */
    public Redundancy compare(String query, @Nullable Segment segment) {
        Map<String, String> parameters = Map.of("text", TextFilter.pattern(query));
        String of = " FROM functions f WHERE f.image = i.digest" + (query.isEmpty() ? "" : NAMED);
        String fit = " FROM images i WHERE i.plan IS NOT NULL AND EXISTS (SELECT 1" + of + ")";
        long fitting = jdbc.sql("SELECT COUNT(*)" + fit)
                .params(parameters)
                .query(Long.class)
                .single();
        List<Candidate> candidates = jdbc.sql("SELECT l.plan, (SELECT MIN(f.name)" + of.replace("i.digest", "l.digest")
                        + ") AS name FROM (SELECT i.digest, i.plan, i.compressed_size" + fit
                        + " ORDER BY i.compressed_size DESC, i.digest FETCH FIRST " + COMPARED + " ROWS ONLY) l"
                        + " ORDER BY l.compressed_size DESC, l.digest")
                .params(parameters)
                .query((row, number) -> new Candidate(Digest.parse(row.getString("plan")), row.getString("name")))
                .list();
        List<String> functions = new ArrayList<>();
        List<PlanContent> compared = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        long objects = 0;
        for (Candidate candidate : candidates) {
            try {
                PlanContent content = content(candidate.plan());
                objects += content.size();
                if (objects > MAX_OBJECTS && !compared.isEmpty()) {
                    break;
                }
                functions.add(candidate.function());
                compared.add(content);
            } catch (ProblemException e) {
                if (e.kind() != ProblemKind.STORAGE) {
                    throw e;
                }
                unreadable.add(candidate.function());
            }
        }
        synchronized (this) {
            return compared(query, segment, functions, compared, fitting, unreadable);
        }
    }

    private PlanContent content(Digest plan) {
        synchronized (contents) {
            PlanContent known = contents.get(plan);
            if (known != null) {
                return known;
            }
        }
        PlanContent content = PlanContent.of(files.plan(plan));
        synchronized (contents) {
            contents.put(plan, content);
            long held = contents.values().stream().mapToLong(PlanContent::size).sum();
            Iterator<PlanContent> eldest = contents.values().iterator();
            while (held > MAX_OBJECTS && contents.size() > 1) {
                held -= eldest.next().size();
                eldest.remove();
            }
        }
        return content;
    }

    private static Redundancy compared(
            String query,
            @Nullable Segment segment,
            List<String> functions,
            List<PlanContent> compared,
            long fitting,
            List<String> unreadable) {
        List<Long> bytes =
                compared.stream().map(content -> content.bytes(segment)).toList();
        List<List<Double>> share = new ArrayList<>();
        double sum = 0;
        for (int row = 0; row < compared.size(); row++) {
            List<Double> line = new ArrayList<>();
            for (int column = 0; column < compared.size(); column++) {
                long common = compared.get(row).common(compared.get(column), segment);
                line.add(bytes.get(row) == 0 ? 0 : (double) common / bytes.get(row));
                sum += row == column ? 0 : line.getLast();
            }
            share.add(line);
        }
        int pairs = compared.size() * (compared.size() - 1);
        return new Redundancy(
                query,
                segment == null ? null : segment.name().toLowerCase(Locale.ROOT),
                functions,
                bytes,
                share,
                pairs == 0 ? 0 : sum / pairs,
                fitting,
                unreadable);
    }
}
