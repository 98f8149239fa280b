package io.faasimage.registry.images.profile;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.profile.ProfileInfo.ReadFile;
import io.faasimage.registry.images.profile.ProfileTable.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sum of the profiles of one version of a library, each weighted by its functions and its age. For one thread. */
final class MergedProfile {
    private static final Duration HALF_LIFE = Duration.ofDays(90);

    /** Keeps long-lived services from listing every file that one function of many once read. */
    private static final double LEAST_SHARE = 0.02;

    private final Instant now;
    private final Map<String, double[]> files = new HashMap<>();
    private double functions;
    private double users;

    private MergedProfile(Instant now) {
        this.now = now;
    }

    /** The sum of {@code rows}, which are of one version; not empty. */
    static ProfileInfo of(List<Row> rows, Instant now) {
        MergedProfile merged = new MergedProfile(now);
        rows.forEach(merged::add);
        return merged.profile(rows.getFirst().profile());
    }

    private void add(Row row) {
        double age = Math.max(0, Duration.between(row.updated(), now).toMillis());
        double weight = row.profile().functions() * Math.pow(0.5, age / HALF_LIFE.toMillis());
        double using = weight * row.profile().used();
        functions += weight;
        users += using;
        for (ReadFile file : row.profile().files()) {
            double[] sums = files.computeIfAbsent(file.name(), _ -> new double[2]);
            sums[0] += using * file.share();
            sums[1] += using * file.share() * file.rank();
        }
    }

    private ProfileInfo profile(ProfileInfo of) {
        List<ReadFile> read = new ArrayList<>();
        files.forEach((name, sums) -> {
            double share = Math.min(1, sums[0] / users);
            if (share >= LEAST_SHARE) {
                read.add(new ReadFile(name, share, sums[1] / sums[0]));
            }
        });
        read.sort(Comparator.comparingDouble(ReadFile::rank).thenComparing(ReadFile::name));
        return new ProfileInfo(
                of.ecosystem(), of.name(), of.version(), functions, functions > 0 ? users / functions : 0, read);
    }
}
