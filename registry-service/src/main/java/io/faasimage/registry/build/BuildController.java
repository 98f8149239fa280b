package io.faasimage.registry.build;

import io.faasimage.api.function.LanguageInfo;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.runtime.Language;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Functions from code: {@code POST /v1/functions} with an archive, {@code /v1/builds}, {@code /v1/languages}. */
@RestController
class BuildController {
    private final BuildService builds;
    private final RuntimeCatalogue runtimes;
    private final JsonMapper json;

    BuildController(BuildService builds, RuntimeCatalogue runtimes, JsonMapper json) {
        this.builds = builds;
        this.runtimes = runtimes;
        this.json = json;
    }

    /** Builds a function, and registers it then. */
    @PostMapping(
            path = "/v1/functions",
            consumes = MediaType.MULTIPART_FORM_DATA_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<BuildInfo> build(
            @RequestParam String metadata,
            @RequestParam MultipartFile archive,
            @RequestParam(required = false) @Nullable List<MultipartFile> secret) {
        BuildInfo build =
                builds.submit(request(metadata), secrets(secret == null ? List.of() : secret), archive::transferTo);
        return ResponseEntity.accepted()
                .location(URI.create("/v1/builds/" + build.id()))
                .body(build);
    }

    /** As above, from the form of the pages; its failures are problems, which the page shows. */
    @PostMapping(
            path = "/ui/archive",
            consumes = MediaType.MULTIPART_FORM_DATA_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Hidden
    ResponseEntity<BuildInfo> build(
            @RequestParam String name, @RequestParam String runtime, @RequestParam MultipartFile archive) {
        BuildRequest request = new BuildRequest(name.strip(), runtime, null, null, null, null, null, null);
        return ResponseEntity.accepted().body(builds.submit(request, BuildSecrets.NONE, archive::transferTo));
    }

    private BuildRequest request(String metadata) {
        try {
            return json.readValue(metadata, BuildRequest.class);
        } catch (JacksonException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "the part 'metadata' is not the expected JSON: " + e.getOriginalMessage()
                            + "; /v3/api-docs describes it",
                    e);
        }
    }

    /** The files, by their names. */
    private static BuildSecrets secrets(List<MultipartFile> files) {
        Map<String, byte[]> contents = new HashMap<>();
        try {
            for (MultipartFile file : files) {
                String id = Objects.requireNonNullElse(file.getOriginalFilename(), "");
                if (file.getSize() > BuildSecrets.MAX_BYTES || contents.put(id, file.getBytes()) != null) {
                    throw ProblemException.badRequest(
                            "a secret has more than " + BuildSecrets.MAX_BYTES + " bytes, or two have the same id");
                }
            }
            return BuildSecrets.of(contents);
        } catch (BuildException e) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, "the secrets could not be read", e);
        }
    }

    /** Lists the builds, newest first. */
    @GetMapping(path = "/v1/builds", produces = MediaType.APPLICATION_JSON_VALUE)
    List<BuildInfo> all() {
        return builds.all();
    }

    /** One build. */
    @GetMapping(path = "/v1/builds/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    BuildInfo get(@PathVariable String id) {
        return builds.get(id);
    }

    /** What the package manager of a build printed, from a byte on. */
    @GetMapping(path = "/v1/builds/{id}/output", produces = MediaType.TEXT_PLAIN_VALUE)
    byte[] output(@PathVariable String id, @RequestParam(defaultValue = "0") long from) {
        return builds.output(id, from);
    }

    /** Lists the languages that functions can be built in. */
    @GetMapping(path = "/v1/languages", produces = MediaType.APPLICATION_JSON_VALUE)
    List<LanguageInfo> languages() {
        return runtimes.languages().stream().map(BuildController::info).toList();
    }

    private static LanguageInfo info(Language language) {
        return new LanguageInfo(
                language.name(), language.name() + language.defaultVersion(), language.runtimes(), language.template());
    }
}
