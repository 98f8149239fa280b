package io.faasimage.registry.access.inspection;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.rest.Json;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.AuditQuery;
import io.faasimage.registry.platform.connection.ClientStream;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * A sender of the audit log as lines of JSON, oldest first. It reads some hundred records at a time, so that its size
 * does not matter and no connection of the database waits for the client. Thread-safe.
 */
@Component
class AuditExport {
    /** The media type of lines of JSON. */
    static final String MEDIA_TYPE = "application/x-ndjson";

    private static final int BATCH = 500;

    private final AuditLog log;

    AuditExport(AuditLog log) {
        this.log = log;
    }

    /** Sends the present records that the query matches. */
    void send(AuditQuery query, HttpServletResponse response) {
        long last = log.newest();
        List<AuditRecord> first = log.following(query, 0, last, BATCH);
        response.setContentType(MEDIA_TYPE);
        response.setHeader("Content-Disposition", "attachment; filename=\"audit.ndjson\"");
        ClientStream.send(response, out -> {
            List<AuditRecord> records = first;
            while (!records.isEmpty()) {
                for (AuditRecord record : records) {
                    out.write(Json.mapper().writeValueAsBytes(record));
                    out.write('\n');
                }
                records = log.following(query, records.getLast().id(), last, BATCH);
            }
        });
    }
}
