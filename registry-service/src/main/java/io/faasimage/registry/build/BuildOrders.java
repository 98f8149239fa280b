package io.faasimage.registry.build;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.Readiness;
import io.faasimage.builder.BuildRequest;
import io.faasimage.builder.KeptLibraries;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import io.faasimage.registry.audit.Actor;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.function.FunctionName;
import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * A parser of build requests, which reports everything that is wrong with one before anything is built. Thread-safe.
 */
@Component
class BuildOrders {
    private static final Readiness READY = new Readiness(8080, "/_/ready");

    private final BuildSettings settings;
    private final RuntimeCatalogue runtimes;
    private final FunctionService functions;

    BuildOrders(BuildSettings settings, RuntimeCatalogue runtimes, FunctionService functions) {
        this.settings = settings;
        this.runtimes = runtimes;
        this.functions = functions;
    }

    BuildOrder order(String id, io.faasimage.api.job.BuildRequest request, BuildSecrets secrets) throws BuildException {
        FunctionName name = FunctionName.of(request.name());
        if (request.runtime() == null) {
            throw ProblemException.badRequest("the function has no 'runtime'; GET /v1/languages lists the known ones");
        }
        FunctionRuntime runtime = runtimes.runtime(request.runtime());
        ImageReference target = target(name, Objects.requireNonNullElse(request.tag(), "latest"));
        Optional<FunctionInfo> present = functions.all().stream()
                .filter(function -> function.name().equals(name.text()))
                .findFirst();
        if (present.isPresent() && !present.get().image().equals(target.toString())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "function '" + name + "' is registered with image "
                            + present.get().image() + "; delete it first, or choose another name");
        }
        return new BuildOrder(
                id,
                BuildRequest.of(
                        name.text(),
                        runtime,
                        target,
                        Optional.ofNullable(request.memory()),
                        Objects.requireNonNullElse(request.environment(), Map.of()),
                        libraries(request),
                        secrets),
                new FunctionRequest(
                        name.text(), target.toString(), runtime.name(), READY, request.start(), request.fill()),
                Actor.current());
    }

    private static KeptLibraries libraries(io.faasimage.api.job.BuildRequest request) {
        return Boolean.TRUE.equals(request.fresh()) ? KeptLibraries.REPLACED : KeptLibraries.USED;
    }

    private ImageReference target(FunctionName name, String tag) {
        @Nullable String registry = settings.registry();
        if (registry == null || registry.isBlank()) {
            throw new ProblemException(
                    ProblemKind.CANNOT_BUILD,
                    "the service has no image registry to push builds to; start it with"
                            + " --faasimage.build.registry=HOST:PORT");
        }
        try {
            if (!tag.matches("\\w[\\w.-]{0,127}")) {
                throw new IllegalArgumentException("not a tag: use at most 128 letters, digits, '_', '.' and '-'");
            }
            return ImageReference.parse(registry + "/" + name + ":" + tag);
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "function '" + name + "' cannot be an image's name (" + e.getMessage()
                            + "); between letters and digits use one of '.', '_' and '-'",
                    e);
        }
    }
}
