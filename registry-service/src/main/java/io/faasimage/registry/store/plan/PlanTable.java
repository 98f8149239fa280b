package io.faasimage.registry.store.plan;

import io.faasimage.api.image.ImageInfo.LibraryInfo;
import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.api.image.PlanVersion;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.registry.store.object.StoredObject;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The plans in the database. A plan is only added once everything that it refers to is stored. Of an image that a
 * pinned function uses, nodes get the plan that is pinned, else the newest. Thread-safe.
 */
@Repository
public class PlanTable {
    /** Plans of an image that are remembered, so that nodes which hold an older one are sent only the difference. */
    public static final int KEPT = 16;

    private static final String PINNED = "EXISTS (SELECT 1 FROM functions f WHERE f.pinned_plan = p.digest)";

    /** Not of plans that stand behind a pinned one of their image. */
    private static final String SERVED =
            "NOT EXISTS (SELECT 1 FROM functions f JOIN plans kept ON kept.digest = f.pinned_plan"
                    + " WHERE f.image = p.image AND f.pinned_plan <> p.digest)";

    private final JdbcClient jdbc;
    private final PlanBlobs blobs;
    private final PlanStatements statements;
    private final Clock clock;

    PlanTable(JdbcClient jdbc, PlanBlobs blobs, PlanStatements statements, Clock clock) {
        this.jdbc = jdbc;
        this.blobs = blobs;
        this.statements = statements;
        this.clock = clock;
    }

    /**
     * Adds a plan with the blobs that it needs; one that is there becomes the newest again. Needs a transaction.
     *
     * @param statement that nodes get with it, from {@link PlanStatements#sign}
     * @throws OptimisticLockingFailureException when some blob that it needs is not stored
     */
    public void add(Digest digest, Plan plan, Optional<String> runtime, Optional<SignedDocument> statement) {
        int version = newestVersion(plan.image()) + 1;
        jdbc.sql("DELETE FROM plans WHERE digest = ?").param(digest.toString()).update();
        jdbc.sql("INSERT INTO plans (digest, image, top_chain, created, version, runtime, prediction)"
                        + " VALUES (?, ?, ?, ?, ?, ?, (SELECT digest FROM predictions WHERE digest = ?))")
                .param(digest.toString())
                .param(plan.image().toString())
                .param(plan.topChain().toString())
                .param(OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .param(version)
                .param(runtime.orElse(null))
                .param(plan.trace().toString())
                .update();
        statement.ifPresent(signed -> statements.add(digest, signed));
        Set<ChainId> chains = new LinkedHashSet<>();
        for (PlanLayer layer : plan.layers()) {
            chains.add(layer.chainId());
        }
        for (ChainId chain : chains) {
            jdbc.sql("INSERT INTO plan_chains (plan, chain) VALUES (?, ?)")
                    .params(digest.toString(), chain.toString())
                    .update();
        }
        Map<Digest, StoredObject> places = blobs.add(digest, plan);
        PlanFigures figures = PlanFigures.of(
                plan,
                object -> Objects.requireNonNull(places.get(object.digest())).storedLength());
        figures.segments().forEach(segment -> addSegment(digest, segment));
        for (int i = 0; i < figures.libraries().size(); i++) {
            addLibrary(digest, i, figures.libraries().get(i));
        }
    }

    private int newestVersion(Digest image) {
        return jdbc.sql("SELECT COALESCE(MAX(version), 0) FROM plans WHERE image = ?")
                .param(image.toString())
                .query(Integer.class)
                .single();
    }

    /** The number of a plan among those of its image, from 1; 0 when it is not there. */
    public int version(Digest plan) {
        return jdbc.sql("SELECT version FROM plans WHERE digest = ?")
                .param(plan.toString())
                .query(Integer.class)
                .optional()
                .orElse(0);
    }

    /** The runtime of a plan's image. */
    public Optional<String> runtime(Digest plan) {
        return jdbc.sql("SELECT runtime FROM plans WHERE digest = ? AND runtime IS NOT NULL")
                .param(plan.toString())
                .query(String.class)
                .optional();
    }

    /** Whether a plan is predicted, and not made from a trace. */
    public boolean isPredicted(Digest plan) {
        return jdbc.sql("SELECT COUNT(*) FROM plans WHERE digest = ? AND prediction IS NOT NULL")
                        .param(plan.toString())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** The plans of an image, newest first. */
    public List<PlanVersion> versions(Digest image) {
        return jdbc.sql("SELECT p.version, p.digest, p.created, SUM(s.startup_objects) AS startup_objects,"
                        + " SUM(s.startup_bytes) AS startup_bytes, SUM(s.objects) AS objects FROM plans p"
                        + " JOIN plan_segments s ON s.plan = p.digest WHERE p.image = ?"
                        + " GROUP BY p.version, p.digest, p.created ORDER BY p.version DESC")
                .param(image.toString())
                .query((row, number) -> new PlanVersion(
                        row.getInt("version"),
                        row.getString("digest"),
                        row.getObject("created", OffsetDateTime.class).toInstant(),
                        row.getLong("startup_objects"),
                        row.getLong("startup_bytes"),
                        row.getLong("objects")))
                .list();
    }

    private void addSegment(Digest plan, SegmentInfo segment) {
        jdbc.sql("INSERT INTO plan_segments (plan, segment, startup_objects, startup_bytes, startup_stored,"
                        + " objects, bytes, stored) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
                        plan.toString(),
                        segment.segment(),
                        segment.startupObjects(),
                        segment.startupBytes(),
                        segment.startupStored(),
                        segment.objects(),
                        segment.bytes(),
                        segment.stored())
                .update();
    }

    private void addLibrary(Digest plan, int position, LibraryInfo library) {
        jdbc.sql("INSERT INTO plan_libraries (plan, position, ecosystem, name, version, objects, bytes)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)")
                .params(
                        plan.toString(),
                        position,
                        library.ecosystem(),
                        // Images name them as they like, and PostgreSQL takes no NUL.
                        library.name().replace("\0", ""),
                        library.version().replace("\0", ""),
                        library.objects(),
                        library.bytes())
                .update();
    }

    /** The present epoch of places if the plan is there; else empty. */
    OptionalLong placesOf(Digest plan) {
        return jdbc.sql("SELECT (SELECT MAX(epoch) FROM places) FROM plans WHERE digest = ?")
                .param(plan.toString())
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** The plan that nodes get whose top is the chain, a pinned one first; else the newest that contains it. */
    public Optional<Digest> servedFor(ChainId chain) {
        return jdbc.sql("SELECT p.digest FROM plans p JOIN plan_chains c ON c.plan = p.digest WHERE c.chain = ? AND "
                        + SERVED + " ORDER BY CASE WHEN p.top_chain <> ? THEN 2 WHEN " + PINNED
                        + " THEN 0 ELSE 1 END, p.created DESC, p.version DESC, p.digest FETCH FIRST 1 ROW ONLY")
                .params(chain.toString(), chain.toString())
                .query((row, number) -> Digest.parse(row.getString(1)))
                .optional();
    }

    /** Of {@code others}, the newest plan that has all layers of {@code plan} but for its topmost one. */
    public Optional<Digest> versionOf(Plan plan, Collection<Digest> others) {
        int layers = plan.layers().size();
        if (others.isEmpty() || layers < 2) {
            return Optional.empty();
        }
        return jdbc.sql("SELECT p.digest FROM plans p JOIN plan_chains c ON c.plan = p.digest"
                        + " WHERE p.digest IN (:plans) AND c.chain = :chain"
                        + " ORDER BY p.created DESC, p.digest FETCH FIRST 1 ROW ONLY")
                .param("plans", others.stream().map(Digest::toString).toList())
                .param("chain", plan.layers().get(layers - 2).chainId().toString())
                .query((row, number) -> Digest.parse(row.getString(1)))
                .optional();
    }

    /** Those of the plans that are there. */
    public Set<Digest> known(Collection<Digest> plans) {
        if (plans.isEmpty()) {
            return Set.of();
        }
        return Set.copyOf(jdbc.sql("SELECT digest FROM plans WHERE digest IN (:plans)")
                .param("plans", plans.stream().map(Digest::toString).toList())
                .query((row, number) -> Digest.parse(row.getString(1)))
                .list());
    }

    /** The plan of an image that nodes get. */
    public Optional<Digest> servedOf(Digest image) {
        return jdbc.sql("SELECT p.digest FROM plans p WHERE p.image = ? AND " + SERVED
                        + " ORDER BY p.version DESC FETCH FIRST 1 ROW ONLY")
                .param(image.toString())
                .query((row, number) -> Digest.parse(row.getString(1)))
                .optional();
    }

    /** The newest plan of an image, whether or not another one is pinned. */
    public Optional<Digest> newestOf(Digest image) {
        return jdbc.sql("SELECT digest FROM plans WHERE image = ? ORDER BY version DESC FETCH FIRST 1 ROW ONLY")
                .param(image.toString())
                .query((row, number) -> Digest.parse(row.getString(1)))
                .optional();
    }

    /** The sizes of the plan's segments and libraries. */
    public PlanFigures figures(Digest plan) {
        List<SegmentInfo> segments = jdbc.sql("SELECT * FROM plan_segments WHERE plan = ?"
                        + " ORDER BY CASE segment WHEN 'base' THEN 0 WHEN 'lib' THEN 1 ELSE 2 END")
                .param(plan.toString())
                .query((row, number) -> new SegmentInfo(
                        row.getString("segment"),
                        row.getLong("startup_objects"),
                        row.getLong("startup_bytes"),
                        row.getLong("startup_stored"),
                        row.getLong("objects"),
                        row.getLong("bytes"),
                        row.getLong("stored")))
                .list();
        List<LibraryInfo> libraries = jdbc.sql("SELECT * FROM plan_libraries WHERE plan = ? ORDER BY position")
                .param(plan.toString())
                .query((row, number) -> new LibraryInfo(
                        row.getString("ecosystem"),
                        row.getString("name"),
                        row.getString("version"),
                        row.getLong("objects"),
                        row.getLong("bytes")))
                .list();
        return new PlanFigures(segments, libraries);
    }

    /** Removes the plans of an image beyond its {@code keep} newest that are not pinned; needs a transaction. */
    public void prune(Digest image, int keep) {
        List<String> digests = jdbc.sql("SELECT p.digest FROM plans p WHERE p.image = ? AND NOT " + PINNED
                        + " ORDER BY p.version DESC OFFSET ? ROWS")
                .params(image.toString(), keep)
                .query(String.class)
                .list();
        // By digest: in H2 a DELETE with a subquery of its own table reads the whole table.
        if (!digests.isEmpty()) {
            jdbc.sql("DELETE FROM plans WHERE digest IN (:digests)")
                    .param("digests", digests)
                    .update();
        }
    }
}
