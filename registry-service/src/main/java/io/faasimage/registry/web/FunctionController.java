package io.faasimage.registry.web;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.registry.function.Deletion;
import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.function.Pinning;
import java.net.URI;
import java.util.List;
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
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/functions}. */
@RestController
@RequestMapping(path = "/v1/functions", produces = MediaType.APPLICATION_JSON_VALUE)
class FunctionController {
    private final FunctionService functions;
    private final Pinning pins;

    FunctionController(FunctionService functions, Pinning pins) {
        this.functions = functions;
        this.pins = pins;
    }

    /** Registers a function; with {@code replace}, in the place of the one with its name. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<FunctionInfo> register(
            @RequestBody FunctionRequest request, @RequestParam(defaultValue = "false") boolean replace) {
        FunctionInfo function = replace ? functions.replace(request) : functions.register(request);
        return ResponseEntity.created(URI.create("/v1/functions/" + function.name()))
                .body(function);
    }

    /** Lists the functions. */
    @GetMapping
    List<FunctionInfo> all() {
        return functions.all();
    }

    /** One function. */
    @GetMapping("/{name}")
    FunctionInfo get(@PathVariable String name) {
        return functions.get(name);
    }

    /** Lets nodes get the plan that the function's image has now until it is unpinned. */
    @PutMapping("/{name}/pin")
    FunctionInfo pin(@PathVariable String name) {
        return pins.pin(name);
    }

    /** Lets nodes get the newest plan again. */
    @DeleteMapping("/{name}/pin")
    FunctionInfo unpin(@PathVariable String name) {
        return pins.unpin(name);
    }

    /** Removes a function; with {@code purge}, also its image when no other function uses it. */
    @DeleteMapping("/{name}")
    Deletion delete(@PathVariable String name, @RequestParam(defaultValue = "false") boolean purge) {
        return functions.delete(name, purge);
    }
}
