package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.registry.platform.problem.Digests;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/functions} and {@code /v1/views/functions}; and the end of an image's trace, which the pins of its
 * functions forbid.
 */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class FunctionController {
    private final FunctionService functions;
    private final FunctionViews views;
    private final Pinning pins;
    private final Retracing retracing;

    FunctionController(FunctionService functions, FunctionViews views, Pinning pins, Retracing retracing) {
        this.functions = functions;
        this.views = views;
        this.pins = pins;
        this.retracing = retracing;
    }

    /** Registers a function; with {@code replace}, in the place of the one with its name. */
    @PostMapping(path = "/v1/functions", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<FunctionInfo> register(
            @RequestBody FunctionRequest request, @RequestParam(defaultValue = "false") boolean replace) {
        FunctionInfo function = replace ? functions.replace(request) : functions.register(request);
        return ResponseEntity.created(URI.create("/v1/functions/" + function.name()))
                .body(function);
    }

    /** Lists the functions. */
    @GetMapping("/v1/functions")
    List<FunctionInfo> all() {
        return functions.all();
    }

    /** One function. */
    @GetMapping("/v1/functions/{name}")
    FunctionInfo get(@PathVariable String name) {
        return functions.get(name);
    }

    /** Lets nodes get the plan that the function's image has now until it is unpinned. */
    @PutMapping("/v1/functions/{name}/pin")
    FunctionInfo pin(@PathVariable String name) {
        return pins.pin(name);
    }

    /** Lets nodes get the newest plan again. */
    @DeleteMapping("/v1/functions/{name}/pin")
    FunctionInfo unpin(@PathVariable String name) {
        return pins.unpin(name);
    }

    /** Removes a function; with {@code purge}, also its image when no other function uses it. */
    @DeleteMapping("/v1/functions/{name}")
    Deletion delete(@PathVariable String name, @RequestParam(defaultValue = "false") boolean purge) {
        return functions.delete(name, purge);
    }

    /** A page of functions whose name or image contains {@code q}, as the dashboard shows them. */
    @GetMapping("/v1/views/functions")
    FunctionList list(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable ImageState state,
            @RequestParam(defaultValue = "1") int page) {
        return views.list(q, state, page);
    }

    /** One function with its libraries and versions, as the dashboard shows it. */
    @GetMapping("/v1/views/functions/{name}")
    FunctionDetail detail(@PathVariable String name) {
        return views.get(name);
    }

    /** Forgets the trace and the plans of an image, so that a start is traced again. */
    @DeleteMapping("/v1/images/{digest}/trace")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void forgetTrace(@PathVariable String digest) {
        retracing.forgetTrace(Digests.parse(digest));
    }
}
