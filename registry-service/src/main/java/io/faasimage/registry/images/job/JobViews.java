package io.faasimage.registry.images.job;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.images.job.JobList.NamedJob;
import io.faasimage.registry.platform.list.Slice;
import io.faasimage.registry.platform.list.TextFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** A reader of jobs and their functions. Thread-safe. */
@Component
public class JobViews {
    private static final int NAMED = 3;
    private static final String FITTING = " FROM jobs j WHERE (:state = '' OR j.state = :state)"
            + " AND (:text = '%%' OR EXISTS (SELECT 1 FROM functions f WHERE f.image = j.image"
            + " AND f.name LIKE :text ESCAPE '!'))";

    private final JdbcClient jdbc;

    JobViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** One page of the jobs for functions whose name contains {@code query}. */
    public JobList list(String query, JobInfo.@Nullable State state, int page) {
        int offset = Slice.offset(page);
        Map<String, Object> fitting =
                Map.of("state", state == null ? "" : state.name(), "text", TextFilter.pattern(query));
        long total = jdbc.sql("SELECT COUNT(*)" + FITTING)
                .params(fitting)
                .query(Long.class)
                .single();
        List<JobInfo> jobs = jdbc.sql("SELECT j.*" + FITTING
                        + " ORDER BY j.created DESC, j.id OFFSET :offset ROWS FETCH FIRST " + Slice.SIZE
                        + " ROWS ONLY")
                .params(fitting)
                .param("offset", offset)
                .query((row, number) -> JobTable.job(row))
                .list();
        return new JobList(Slice.of(named(jobs), page, total), state, query);
    }

    /** The newest jobs that failed, and whose image is in that state still. */
    public List<NamedJob> failing(int most) {
        return named(jdbc.sql("SELECT j.* FROM jobs j JOIN images i ON i.digest = j.image WHERE j.state = 'FAILED'"
                        + " AND i.state = 'FAILED' AND NOT EXISTS (SELECT 1 FROM jobs n WHERE n.image = j.image"
                        + " AND n.created > j.created) ORDER BY j.created DESC, j.id FETCH FIRST :most ROWS ONLY")
                .param("most", most)
                .query((row, number) -> JobTable.job(row))
                .list());
    }

    private List<NamedJob> named(List<JobInfo> jobs) {
        Collection<String> images = jobs.stream().map(JobInfo::image).distinct().toList();
        Map<String, List<String>> functions = new HashMap<>();
        Map<String, String> references = new HashMap<>();
        if (!images.isEmpty()) {
            jdbc.sql("SELECT image, name FROM functions WHERE image IN (:images) ORDER BY created, name")
                    .param("images", images)
                    .query(row -> {
                        List<String> names = functions.computeIfAbsent(row.getString(1), image -> new ArrayList<>());
                        if (names.size() < NAMED) {
                            names.add(row.getString(2));
                        }
                    });
            jdbc.sql("SELECT digest, name FROM images WHERE digest IN (:images)")
                    .param("images", images)
                    .query(row -> {
                        references.put(row.getString(1), row.getString(2));
                    });
        }
        return jobs.stream()
                .map(job -> new NamedJob(
                        job,
                        functions.getOrDefault(job.image(), List.of()),
                        references.getOrDefault(job.image(), job.image())))
                .toList();
    }
}
