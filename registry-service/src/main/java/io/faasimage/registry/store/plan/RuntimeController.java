package io.faasimage.registry.store.plan;

import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.registry.platform.problem.ProblemException;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/runtimes}: the plans that a node can hold before any function requests them. */
@RestController
@RequestMapping(path = "/v1/runtimes", produces = MediaType.APPLICATION_JSON_VALUE)
class RuntimeController {
    private final RuntimeTable runtimes;

    RuntimeController(RuntimeTable runtimes) {
        this.runtimes = runtimes;
    }

    /** Lists the runtimes of planned images. */
    @GetMapping
    List<RuntimeInfo> all() {
        return runtimes.all();
    }

    /** One runtime, and the plan whose base start-up objects warm it. */
    @GetMapping("/{name}")
    RuntimeInfo get(@PathVariable String name) {
        return runtimes.find(name)
                .orElseThrow(() -> ProblemException.notFound("no planned image has the runtime '" + name
                        + "'; GET /v1/runtimes (faasimage runtimes) lists the known ones"));
    }
}
