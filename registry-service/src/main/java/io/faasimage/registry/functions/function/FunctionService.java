package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageResolver;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.JobService;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** The registration and removal of functions. Thread-safe. */
@Service
public class FunctionService {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionService.class);
    private static final int MAX_REFERENCE_CHARS = 4096;
    private static final int MAX_RUNTIME_CHARS = 253;

    private final FunctionTable functions;
    private final ImageTable images;
    private final ImageResolver resolver;
    private final ImageRemoval removal;
    private final Pinning pins;
    private final JobService jobs;
    private final AuditLog audit;
    private final Clock clock;

    FunctionService(
            FunctionTable functions,
            ImageTable images,
            ImageResolver resolver,
            ImageRemoval removal,
            Pinning pins,
            JobService jobs,
            AuditLog audit,
            Clock clock) {
        this.functions = functions;
        this.images = images;
        this.resolver = resolver;
        this.removal = removal;
        this.pins = pins;
        this.jobs = jobs;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Registers a function, after resolving the reference at its image's registry. The same registration again gives
     * the function that is there.
     */
    public FunctionInfo register(FunctionRequest request) {
        functions.find(FunctionName.of(request.name()).text()).ifPresent(present -> rejectOther(present, request));
        return resolveAndAdd(request);
    }

    /**
     * Registers a function in the place of the one with its name, if there is one; settings that the request leaves out
     * stay as they were. The old one stays registered until the new image is resolved, and when that fails.
     */
    public FunctionInfo replace(FunctionRequest request) {
        Optional<FunctionInfo> known =
                functions.find(FunctionName.of(request.name()).text());
        return resolveAndAdd(known.map(present -> completed(request, present)).orElse(request));
    }

    private static FunctionRequest completed(FunctionRequest request, FunctionInfo present) {
        return new FunctionRequest(
                request.name(),
                request.image(),
                request.runtime() == null ? present.runtime() : request.runtime(),
                request.readiness() == null ? present.readiness() : request.readiness(),
                request.start() == null ? present.start() : request.start(),
                request.fill() == null ? present.fill() : request.fill());
    }

    private FunctionInfo resolveAndAdd(FunctionRequest request) {
        FunctionName name = FunctionName.of(request.name());
        String reference = reference(request);
        checkRuntime(request.runtime());
        RegisteredImage image = resolver.resolve(reference);
        FunctionInfo function = new FunctionInfo(
                name.text(),
                reference,
                image.digest().toString(),
                request.runtime(),
                request.readiness(),
                request.start(),
                request.fill(),
                ImageState.UNTRACED,
                null,
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        try {
            jobs.betweenTraces(() -> {
                images.add(image);
                put(function);
                jobs.queueIfPlannable(image.digest());
                return true;
            });
        } catch (DuplicateKeyException e) {
            throw new ProblemException(
                    ProblemKind.CONFLICT, "function '" + name + "' is being registered by another request", e);
        }
        LOG.info("function {} registered with image {} ({})", name, reference, image.digest());
        return get(name.text());
    }

    /**
     * Needs a transaction. The same image again stays pinned; another one is not, and the old one has its newest plan
     * again.
     */
    private void put(FunctionInfo function) {
        Optional<FunctionInfo> old = lockedImage(function.name());
        Optional<FunctionInfo> same = old.filter(before -> before.digest().equals(function.digest()));
        functions.remove(function.name());
        functions.add(function, same.map(FunctionInfo::pinned).orElse(null));
        if (same.isEmpty()) {
            old.filter(before -> before.pinned() != null)
                    .ifPresent(before -> pins.refresh(Digest.parse(before.digest())));
        }
        audit.add(
                old.isPresent() ? AuditAction.FUNCTION_REPLACE : AuditAction.FUNCTION_REGISTER,
                function.name(),
                old.orElse(null),
                function);
    }

    /** The function as it is, its image locked as by a pin: no other request pins or unpins it from here on. */
    private Optional<FunctionInfo> lockedImage(String name) {
        Optional<FunctionInfo> before = functions.find(name);
        before.map(FunctionInfo::digest).map(Digest::parse).ifPresent(images::lock);
        Optional<FunctionInfo> now = functions.find(name);
        if (!now.map(FunctionInfo::digest).equals(before.map(FunctionInfo::digest))) {
            throw new ProblemException(
                    ProblemKind.CONFLICT, "function '" + name + "' is being registered by another request");
        }
        return now;
    }

    private static void rejectOther(FunctionInfo present, FunctionRequest request) {
        if (!present.image().equals(request.image())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "function '" + present.name() + "' is registered with image " + present.image()
                            + "; delete it first, or choose another name");
        }
    }

    private static String reference(FunctionRequest request) {
        String reference = request.image();
        if (reference == null || reference.isBlank()) {
            throw ProblemException.badRequest("the function has no 'image'; give its reference");
        }
        if (reference.length() > MAX_REFERENCE_CHARS || reference.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.badRequest(
                    "the image reference is longer than 4096 characters or has control characters in it");
        }
        return reference;
    }

    private static void checkRuntime(@Nullable String runtime) {
        if (runtime != null
                && (runtime.length() > MAX_RUNTIME_CHARS || runtime.chars().anyMatch(Character::isISOControl))) {
            throw ProblemException.badRequest(
                    "'runtime' is longer than " + MAX_RUNTIME_CHARS + " characters or has control characters in it");
        }
    }

    /** All functions by name. */
    public List<FunctionInfo> all() {
        return functions.all();
    }

    /** One function. */
    public FunctionInfo get(String name) {
        return functions.find(FunctionName.of(name).text()).orElseThrow(() -> unknown(name));
    }

    /**
     * Removes a function. The image stays unless {@code purge} is set and no other function uses it.
     *
     * @return the outcome, which includes whether the image stays
     */
    public Deletion delete(String name, boolean purge) {
        FunctionInfo function = get(name);
        Digest image = Digest.parse(function.digest());
        // A trace that comes now is of the image while it is there.
        Deletion deletion = jobs.betweenTraces(() -> delete(function, image, purge));
        LOG.info("function {} deleted: {}", name, deletion.detail());
        return deletion;
    }

    private Deletion delete(FunctionInfo function, Digest image, boolean purge) {
        images.lock(image);
        if (!functions.remove(function.name())) {
            throw unknown(function.name());
        }
        List<String> others =
                functions.of(image).stream().map(FunctionInfo::name).toList();
        boolean remove = purge && others.isEmpty();
        if (remove) {
            removal.remove(image);
        } else {
            pins.refresh(image);
        }
        Deletion deletion = Deletion.of(function, others, remove);
        audit.add(AuditAction.FUNCTION_DELETE, function.name(), function, Map.of("imageRemoved", remove));
        return deletion;
    }

    private static ProblemException unknown(String name) {
        return ProblemException.notFound(
                "no function '" + name + "' is registered; GET /v1/functions lists the registered ones");
    }
}
