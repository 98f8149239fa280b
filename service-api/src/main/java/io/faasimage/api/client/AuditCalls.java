package io.faasimage.api.client;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.rest.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that read the audit log. Blocking, thread-safe. */
public final class AuditCalls {
    private final ServiceCalls calls;

    AuditCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /**
     * A part of the log, newest first; {@code filters} as in REST: actor, action, object, from, until, after, limit.
     */
    public Page<AuditRecord> list(Map<String, String> filters) throws IOException {
        return calls.read(
                calls.send(calls.get("/v1/audit" + ServiceCalls.query(filters))),
                new TypeReference<Page<AuditRecord>>() {});
    }

    /** Copies all records that the filters match to {@code out}, oldest first, one JSON document a line. */
    public void export(Map<String, String> filters, OutputStream out) throws IOException {
        try (InputStream lines = calls.send(calls.get("/v1/audit/export" + ServiceCalls.query(filters)))
                .body()) {
            lines.transferTo(out);
        }
    }
}
