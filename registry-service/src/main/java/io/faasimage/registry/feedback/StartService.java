package io.faasimage.registry.feedback;

import io.faasimage.api.StartReport;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.config.DatabaseSettings;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.plan.PlanLayouts;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.rollup.RollUp;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Takes what nodes report of starts, by appending it; a thread counts it for the images a moment later. An image that
 * somebody else changes just then has its turn afterwards, and nobody waits for its row. Thread-safe.
 */
@Service
public class StartService implements RollUp.Table, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartService.class);

    private final ImageTable images;
    private final PlanTable plans;
    private final PlanLayouts layouts;
    private final ReportTable reports;
    private final StartTable starts;
    private final MissTable misses;
    private final Replanner replanner;
    private final TransactionOperations transaction;
    private final RollUp rollUp;

    StartService(
            ImageTable images,
            PlanTable plans,
            PlanLayouts layouts,
            ReportTable reports,
            StartTable starts,
            MissTable misses,
            Replanner replanner,
            DatabaseSettings settings,
            TransactionOperations transaction) {
        this.images = images;
        this.plans = plans;
        this.layouts = layouts;
        this.reports = reports;
        this.starts = starts;
        this.misses = misses;
        this.replanner = replanner;
        this.transaction = transaction;
        this.rollUp = new RollUp("reports of starts", this, settings.uncounted());
    }

    /**
     * Takes a report. What it missed and the image's newest plan does not foresee either may get the image a new plan.
     */
    public void add(StartReport start) {
        Digest image = digest(start.image(), "image");
        Optional.ofNullable(start.plan()).ifPresent(plan -> digest(plan, "plan"));
        start.misses().forEach(miss -> digest(miss.object(), "object"));
        rollUp.admit();
        if (images.find(image).isEmpty()) {
            throw ProblemException.notFound(
                    "no image " + image + " is registered; GET /v1/images lists those that are");
        }
        reports.add(image, start);
        rollUp.wake();
    }

    @Override
    public void addUp() {
        String last = "";
        for (List<String> some = reports.imagesAfter(last); !some.isEmpty(); some = reports.imagesAfter(last)) {
            for (String image : some) {
                while (addSome(Digest.parse(image))) {
                    LOG.debug("more reports of image {}", image);
                }
            }
            last = some.getLast();
        }
    }

    @Override
    public long waiting() {
        return reports.count();
    }

    /** How many reports wait to be counted. */
    public long uncounted() {
        return rollUp.waiting();
    }

    /** Counts now what has been taken, unless another service does. */
    public void settle() {
        rollUp.run();
    }

    /** Forgets starts that are too many or too old. */
    public void age() {
        starts.forget();
    }

    /** Counts some reports of an image; false when there were none, or another service does so. */
    private boolean addSome(Digest image) {
        if (images.find(image).isEmpty()) {
            return reports.removeAll(image);
        }
        List<ReportTable.Row> read = reports.of(image);
        Set<Digest> unforeseen = unforeseen(image, read);
        boolean[] missed = {false};
        boolean counted = Boolean.TRUE.equals(transaction.execute(_ -> {
            // Another service may have counted some meanwhile; who has the image's lock counts the rest.
            List<ReportTable.Row> rows = images.lockIfFree(image) ? reports.still(read) : List.of();
            for (ReportTable.Row row : rows) {
                starts.add(image, row.report(), row.received());
                missed[0] |= count(image, row.report(), unforeseen);
            }
            return reports.remove(rows);
        }));
        if (counted && missed[0]) {
            replanner.request(image);
        }
        return counted;
    }

    private boolean count(Digest image, StartReport start, Set<Digest> unforeseen) {
        Set<Digest> counted = new HashSet<>();
        for (StartReport.Miss miss : start.misses()) {
            Digest object = Digest.parse(miss.object());
            Integer rank = miss.rank();
            if (unforeseen.contains(object) && counted.add(object)) {
                misses.count(image, object, rank == null ? OptionalInt.empty() : OptionalInt.of(rank));
            }
        }
        return !counted.isEmpty();
    }

    /** The missed objects that the image's newest plan has outside of its start-up set. */
    private Set<Digest> unforeseen(Digest image, List<ReportTable.Row> rows) {
        Set<Digest> missed = rows.stream()
                .flatMap(row -> row.report().misses().stream())
                .map(miss -> Digest.parse(miss.object()))
                .collect(Collectors.toSet());
        if (missed.isEmpty()) {
            return Set.of();
        }
        return layout(image).stream()
                .flatMap(layout -> layout.plan().rest().stream())
                .map(PlanObject::digest)
                .filter(missed::contains)
                .collect(Collectors.toSet());
    }

    private Optional<PlanLayout> layout(Digest image) {
        try {
            return plans.newestOf(image).flatMap(layouts::find);
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            LOG.warn("what starts of image {} missed is not counted: {}", image, e.getMessage());
            return Optional.empty();
        }
    }

    private static Digest digest(String text, String field) {
        try {
            return Digest.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "'" + field + "': " + e.getMessage() + "; write sha256: and 64 hex digits",
                    e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        rollUp.close();
    }
}
