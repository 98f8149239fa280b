package io.faasimage.registry.build;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.protocol.BuilderSettings;
import io.faasimage.builder.protocol.LeaseRequest;
import io.faasimage.builder.protocol.LeftoversReport;
import io.faasimage.builder.protocol.ProtocolJson;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.problem.ProblemException;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.Optional;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * The requests of builders, {@code /v1/builder}: they take builds, and report on those that they have a
 * lease of. No API for others.
 */
@RestController
@Hidden
class BuilderController {
    private static final int MAX_TEXT = 4096;

    private final BuildQueue queue;
    private final BuilderSettings settings;
    private final EventLog events;

    BuilderController(BuildQueue queue, BuilderSettings settings, EventLog events) {
        this.queue = queue;
        this.settings = settings;
        this.events = events;
    }

    @GetMapping(path = "/v1/builder", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] settings() {
        return ProtocolJson.encode(settings);
    }

    @PostMapping(path = "/v1/builder/leases", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> lease(@RequestBody byte[] body) throws InterruptedException {
        Optional<BuildTask> task = queue.lease(decode(body, LeaseRequest.class));
        return task.map(ProtocolJson::encode)
                .map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.noContent().build());
    }

    @GetMapping(path = "/v1/builder/leases/{id}/archive", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    Resource archive(@PathVariable String id) {
        return new FileSystemResource(queue.extend(id).archive());
    }

    @PostMapping(path = "/v1/builder/leases/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] report(@PathVariable String id, @RequestBody byte[] body) {
        BuildReport report = decode(body, BuildReport.class);
        BuilderWork work = queue.extend(id);
        long position = work.report(report);
        BuildReport.End end = report.end();
        if (end != null && end.kind() == BuildException.Kind.CANCELLED) {
            queue.release(id);
        } else if (end != null && queue.end(id)) {
            work.ended(end);
        }
        return ProtocolJson.encode(new BuildReport.Answer(position));
    }

    @PostMapping(path = "/v1/builder/leftovers")
    ResponseEntity<Void> leftovers(@RequestBody byte[] body) {
        String text = decode(body, LeftoversReport.class).text();
        events.builds(
                "leftovers",
                EventInfo.Severity.ERROR,
                text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text);
        return ResponseEntity.noContent().build();
    }

    private static <T> T decode(byte[] body, Class<T> type) {
        try {
            return ProtocolJson.decode(body, type);
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
