package io.faasimage.registry.access.inspection;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.rest.Page;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.AuditQuery;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/audit}: the records of changes, with author and origin. */
@RestController
class AuditController {
    private final AuditLog log;
    private final AuditExport export;

    AuditController(AuditLog log, AuditExport export) {
        this.log = log;
        this.export = export;
    }

    /** Lists records of the audit log, newest first. */
    @GetMapping(path = "/v1/audit", produces = MediaType.APPLICATION_JSON_VALUE)
    Page<AuditRecord> list(
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String action,
            @RequestParam(required = false) @Nullable String object,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant until,
            @RequestParam(required = false) @Nullable Long after,
            @RequestParam(defaultValue = "100") int limit) {
        return log.list(new AuditQuery(actor, action, object, from, until), after, limit);
    }

    /** All records that the filters match, oldest first, one JSON document a line. */
    @GetMapping(path = "/v1/audit/export", produces = AuditExport.MEDIA_TYPE)
    void export(
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String action,
            @RequestParam(required = false) @Nullable String object,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant until,
            HttpServletResponse response) {
        export.send(new AuditQuery(actor, action, object, from, until), response);
    }
}
