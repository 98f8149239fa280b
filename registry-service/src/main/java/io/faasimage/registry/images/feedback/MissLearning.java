package io.faasimage.registry.images.feedback;

import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.registry.images.feedback.UnlearntStarts.Start;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.platform.config.DatabaseSettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanLayouts;
import io.faasimage.registry.store.plan.PlanTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The counting of misses: starts are appended, and a thread counts their misses for the images a moment later. An image
 * that another transaction is changing is counted afterwards, and nothing waits for its row. Thread-safe.
 */
@Service
public class MissLearning implements RollUp.Table, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MissLearning.class);

    private final ImageTable images;
    private final PlanTable plans;
    private final PlanLayouts layouts;
    private final UnlearntStarts starts;
    private final MissTable misses;
    private final Replanner replanner;
    private final TransactionOperations transaction;
    private final RollUp rollUp;

    MissLearning(
            ImageTable images,
            PlanTable plans,
            PlanLayouts layouts,
            UnlearntStarts starts,
            MissTable misses,
            Replanner replanner,
            DatabaseSettings settings,
            TransactionOperations transaction) {
        this.images = images;
        this.plans = plans;
        this.layouts = layouts;
        this.starts = starts;
        this.misses = misses;
        this.replanner = replanner;
        this.transaction = transaction;
        this.rollUp = new RollUp("starts that missed objects", this, settings.uncounted());
    }

    /** Checks, before anything is written, that more can be received; throws a problem that says when to retry. */
    public void admit() {
        rollUp.admit();
    }

    /** Receives records that were not known before, in the transaction that adds them. */
    public void added(List<StartRecord> records) {
        starts.add(records.stream()
                .filter(record -> record.image() != null && !record.misses().isEmpty())
                .toList());
    }

    /** The transaction has ended well. */
    public void committed() {
        rollUp.wake();
    }

    @Override
    public void addUp() {
        String last = "";
        for (List<String> some = starts.imagesAfter(last); !some.isEmpty(); some = starts.imagesAfter(last)) {
            for (String image : some) {
                while (addSome(Digest.parse(image))) {
                    LOG.debug("more starts of image {}", image);
                }
            }
            last = some.getLast();
        }
    }

    @Override
    public long waiting() {
        return starts.count();
    }

    /** The number of starts that wait to be counted. */
    public long uncounted() {
        return rollUp.waiting();
    }

    /** Counts some starts of an image; false when there were none, or another service does so. */
    private boolean addSome(Digest image) {
        if (images.find(image).isEmpty()) {
            return starts.removeAll(image);
        }
        List<Start> read = starts.of(image);
        Set<Digest> unforeseen = unforeseen(image, read);
        boolean[] missed = {false};
        boolean counted = Boolean.TRUE.equals(transaction.execute(_ -> {
            // Another service may have counted some meanwhile; the one with the image's lock counts the rest.
            List<Start> rest = images.lockIfFree(image) ? starts.still(image, read) : List.of();
            for (Start start : rest) {
                for (Digest object : start.misses()) {
                    if (unforeseen.contains(object)) {
                        misses.count(image, object);
                        missed[0] = true;
                    }
                }
            }
            return starts.remove(image, rest);
        }));
        if (counted && missed[0]) {
            replanner.request(image);
        }
        return counted;
    }

    /** The missed objects that the image's newest plan has outside of its prefetch list, or there in part. */
    private Set<Digest> unforeseen(Digest image, List<Start> read) {
        Set<Digest> missed =
                read.stream().flatMap(start -> start.misses().stream()).collect(Collectors.toSet());
        if (missed.isEmpty()) {
            return Set.of();
        }
        return layout(image).stream()
                .flatMap(layout -> open(layout.plan()))
                .filter(missed::contains)
                .collect(Collectors.toSet());
    }

    private static Stream<Digest> open(Plan plan) {
        return IntStream.range(0, plan.objects().size())
                .filter(i -> i >= plan.startupCount() || plan.prefetch().get(i).isPartlyRead())
                .mapToObj(i -> plan.objects().get(i).digest());
    }

    private Optional<PlanLayout> layout(Digest image) {
        try {
            return plans.newestOf(image).flatMap(layouts::find);
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            LOG.warn("the misses of starts of image {} are not counted: {}", image, e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() throws InterruptedException {
        rollUp.close();
    }
}
