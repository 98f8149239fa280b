package io.faasimage.registry.feedback;

import io.faasimage.api.StartReport;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.plan.PlanLayout;
import io.faasimage.registry.plan.PlanLayouts;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Takes what nodes tell of starts. Thread-safe. */
@Service
public class StartService {
    private final ImageTable images;
    private final PlanTable plans;
    private final PlanLayouts layouts;
    private final StartTable starts;
    private final MissTable misses;
    private final Replanner replanner;
    private final TransactionOperations transaction;

    StartService(
            ImageTable images,
            PlanTable plans,
            PlanLayouts layouts,
            StartTable starts,
            MissTable misses,
            Replanner replanner,
            TransactionOperations transaction) {
        this.images = images;
        this.plans = plans;
        this.layouts = layouts;
        this.starts = starts;
        this.misses = misses;
        this.replanner = replanner;
        this.transaction = transaction;
    }

    /**
     * Records a start, and counts what it missed and the image's newest plan does not foresee either.
     *
     * @return whether the image may get a new plan for it
     */
    public boolean add(StartReport start) {
        Digest image = digest(start.image(), "image");
        Optional.ofNullable(start.plan()).ifPresent(plan -> digest(plan, "plan"));
        if (images.find(image).isEmpty()) {
            throw unknown(image);
        }
        Map<Digest, OptionalInt> missed = missed(start, image);
        transaction.executeWithoutResult(status -> {
            if (!images.lock(image)) {
                throw unknown(image);
            }
            starts.add(image, start);
            missed.forEach((object, rank) -> misses.count(image, object, rank));
        });
        if (missed.isEmpty()) {
            return false;
        }
        replanner.request(image);
        return true;
    }

    private Map<Digest, OptionalInt> missed(StartReport start, Digest image) {
        Map<Digest, OptionalInt> told = new HashMap<>();
        for (StartReport.Miss miss : start.misses()) {
            Integer rank = miss.rank();
            told.putIfAbsent(
                    digest(miss.object(), "object"), rank == null ? OptionalInt.empty() : OptionalInt.of(rank));
        }
        Optional<PlanLayout> layout =
                told.isEmpty() ? Optional.empty() : plans.newestOf(image).flatMap(layouts::find);
        Map<Digest, OptionalInt> missed = new HashMap<>();
        layout.ifPresent(of -> {
            for (PlanObject object : of.plan().rest()) {
                OptionalInt rank = told.get(object.digest());
                if (rank != null) {
                    missed.put(object.digest(), rank);
                }
            }
        });
        return missed;
    }

    private static ProblemException unknown(Digest image) {
        return ProblemException.notFound("no image " + image + " is registered; GET /v1/images lists those that are");
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
}
