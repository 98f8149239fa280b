package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.plan.PlanTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The pinning of a function's image to its present plan, so that its starts do not change. Traces and starts continue
 * to make newer plans; nodes get the newest again when no function of the image is pinned. All pinned functions of an
 * image have the same plan. Thread-safe.
 */
@Service
class Pinning {
    private static final Logger LOG = LoggerFactory.getLogger(Pinning.class);

    private final FunctionTable functions;
    private final ImageTable images;
    private final PlanTable plans;
    private final AuditLog audit;
    private final TransactionOperations transaction;

    Pinning(
            FunctionTable functions,
            ImageTable images,
            PlanTable plans,
            AuditLog audit,
            TransactionOperations transaction) {
        this.functions = functions;
        this.images = images;
        this.plans = plans;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** Pins a function to the plan that nodes get of its image now; one that is pinned stays as it is. */
    public FunctionInfo pin(String name) {
        transaction.executeWithoutResult(status -> {
            Digest image = locked(name);
            Digest plan = plans.servedOf(image)
                    .orElseThrow(() -> new ProblemException(
                            ProblemKind.CONFLICT,
                            "function '" + name + "' has no plan to pin; a first start of its image must be"
                                    + " traced"));
            @Nullable String before = get(name).pinned();
            functions.pin(name, plan);
            audit.add(AuditAction.FUNCTION_PIN, name, pinned(before), pinned(plan.toString()));
        });
        FunctionInfo function = get(name);
        LOG.info("function {} is pinned to plan {}", name, function.pinned());
        return function;
    }

    /** Unpins a function; one that is not pinned stays as it is. */
    public FunctionInfo unpin(String name) {
        transaction.executeWithoutResult(status -> {
            Digest image = locked(name);
            @Nullable String before = get(name).pinned();
            functions.pin(name, null);
            refresh(image);
            audit.add(AuditAction.FUNCTION_UNPIN, name, pinned(before), Map.of());
        });
        LOG.info("function {} is unpinned and uses the newest plan of its image", name);
        return get(name);
    }

    private static Map<String, String> pinned(@Nullable String plan) {
        return plan == null ? Map.of() : Map.of("pinned", plan);
    }

    /** Makes the plan that the image's pins select the current one; needs a transaction that holds the image's lock. */
    void refresh(Digest image) {
        plans.servedOf(image).ifPresent(plan -> images.current(image, plan));
    }

    /** The image of a function, locked; the function cannot get another one meanwhile. */
    private Digest locked(String name) {
        Digest image = Digest.parse(get(name).digest());
        images.lock(image);
        if (!get(name).digest().equals(image.toString())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT, "function '" + name + "' is being replaced by another request; try again");
        }
        return image;
    }

    private FunctionInfo get(String name) {
        return functions
                .find(FunctionName.of(name).text())
                .orElseThrow(() -> ProblemException.notFound(
                        "no function '" + name + "' is registered; GET /v1/functions lists the registered ones"));
    }
}
