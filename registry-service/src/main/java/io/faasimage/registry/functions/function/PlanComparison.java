package io.faasimage.registry.functions.function;

import io.faasimage.api.image.ImageInfo.LibraryInfo;
import io.faasimage.api.image.PlanVersion;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.functions.function.FunctionDetail.SharedLibrary;
import io.faasimage.registry.functions.function.FunctionDetail.Version;
import io.faasimage.registry.store.plan.PlanFiles;
import io.faasimage.registry.store.plan.PlanTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A comparison of a function's plan with others: their common objects, and the bytes that a change from one to the
 * other moves. Thread-safe.
 */
@Component
class PlanComparison {
    private static final int OLDER_PLANS = 5;
    private static final int OTHER_TAGS = 5;
    private static final int NAMED = 3;

    private final JdbcClient jdbc;
    private final PlanTable plans;
    private final PlanFiles files;

    PlanComparison(JdbcClient jdbc, PlanTable plans, PlanFiles files) {
        this.jdbc = jdbc;
        this.plans = plans;
        this.files = files;
    }

    /** The libraries of a function's plan, heaviest first, with the functions that have the same version. */
    List<SharedLibrary> libraries(FunctionSummary function) {
        Map<LibraryInfo, Long> users = new HashMap<>();
        jdbc.sql("SELECT l.ecosystem, l.name, l.version, l.objects, l.bytes,"
                        + " (SELECT COUNT(*) FROM plan_libraries o JOIN images oi ON oi.plan = o.plan"
                        + " JOIN functions f ON f.image = oi.digest WHERE o.name = l.name AND o.version = l.version"
                        + " AND o.ecosystem = l.ecosystem) AS users"
                        + " FROM plan_libraries l JOIN images i ON i.plan = l.plan WHERE i.digest = ?")
                .param(function.digest())
                .query(row -> {
                    LibraryInfo library = new LibraryInfo(
                            row.getString("ecosystem"),
                            row.getString("name"),
                            row.getString("version"),
                            row.getLong("objects"),
                            row.getLong("bytes"));
                    users.put(library, row.getLong("users"));
                });
        return users.entrySet().stream()
                .map(e -> new SharedLibrary(
                        e.getKey(), e.getValue(), e.getValue() > 1 ? users(e.getKey(), function) : List.of()))
                .sorted(java.util.Comparator.comparingLong(
                                (SharedLibrary l) -> -l.library().bytes())
                        .thenComparing(l -> l.library().name()))
                .toList();
    }

    private List<String> users(LibraryInfo library, FunctionSummary but) {
        return jdbc.sql("SELECT f.name FROM plan_libraries o JOIN images i ON i.plan = o.plan"
                        + " JOIN functions f ON f.image = i.digest WHERE o.name = ? AND o.version = ?"
                        + " AND o.ecosystem = ? AND f.name <> ? ORDER BY f.created DESC, f.name FETCH FIRST " + NAMED
                        + " ROWS ONLY")
                .params(library.name(), library.version(), library.ecosystem(), but.name())
                .query(String.class)
                .list();
    }

    /** The newest plan, older ones of the image, and those of other tags of its repository. */
    List<Version> versions(FunctionSummary function, @Nullable String pinned) {
        Digest image = Digest.parse(function.digest());
        List<PlanVersion> all = plans.versions(image);
        List<PlanVersion> own = java.util.stream.IntStream.range(0, all.size())
                .filter(i -> i <= OLDER_PLANS || all.get(i).plan().equals(pinned))
                .mapToObj(all::get)
                .toList();
        if (own.isEmpty()) {
            return List.of();
        }
        Plan current = files.plan(Digest.parse(own.getFirst().plan()));
        List<Version> versions = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            PlanVersion version = own.get(i);
            Plan plan = i == 0 ? current : files.plan(Digest.parse(version.plan()));
            versions.add(version(
                    "plan " + version.version() + (version.plan().equals(pinned) ? ", pinned" : ""),
                    version.plan(),
                    null,
                    i == 0,
                    current,
                    plan,
                    i == 0 ? List.of() : plan.startup()));
        }
        for (Tag tag : otherTags(function)) {
            Plan plan = files.plan(Digest.parse(tag.plan()));
            versions.add(version(tag.reference(), tag.plan(), tag.function(), false, current, plan, plan.objects()));
        }
        return versions;
    }

    private record Tag(String reference, String plan, String function) {}

    private List<Tag> otherTags(FunctionSummary function) {
        String repository = repository(function.image());
        String escaped = repository.replace("!", "!!").replace("%", "!%").replace("_", "!_");
        return jdbc.sql("SELECT f.reference, i.plan, f.name FROM functions f JOIN images i ON i.digest = f.image"
                        + " WHERE (f.reference LIKE ? ESCAPE '!' OR f.reference LIKE ? ESCAPE '!') AND i.plan IS NOT NULL"
                        + " AND i.digest <> ? ORDER BY f.created DESC, f.name FETCH FIRST "
                        + OTHER_TAGS + " ROWS ONLY")
                .params(escaped + ":%", escaped + "@%", function.digest())
                .query((row, number) -> new Tag(row.getString(1), row.getString(2), row.getString(3)))
                .list();
    }

    /** A reference without its tag and digest. */
    static String repository(String reference) {
        int digest = reference.indexOf('@');
        String named = digest < 0 ? reference : reference.substring(0, digest);
        int colon = named.lastIndexOf(':');
        return colon > named.lastIndexOf('/') ? named.substring(0, colon) : named;
    }

    private static Version version(
            String label,
            String digest,
            @Nullable String function,
            boolean newest,
            Plan current,
            Plan plan,
            List<PlanObject> held) {
        Set<Digest> has = held.stream().map(PlanObject::digest).collect(Collectors.toSet());
        List<PlanObject> startup = current.startup().stream()
                .filter(object -> !has.contains(object.digest()))
                .toList();
        long missing = current.objects().stream()
                .filter(object -> !has.contains(object.digest()))
                .mapToLong(PlanObject::size)
                .sum();
        return new Version(
                label,
                digest,
                function,
                newest,
                plan.startupCount(),
                bytes(plan.startup()),
                startup.size(),
                bytes(startup),
                missing);
    }

    private static long bytes(List<PlanObject> objects) {
        return objects.stream().mapToLong(PlanObject::size).sum();
    }
}
