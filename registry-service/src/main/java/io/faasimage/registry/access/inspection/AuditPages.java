package io.faasimage.registry.access.inspection;

import io.faasimage.api.audit.AuditRecord;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Page;
import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.audit.AuditQuery;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/audit}. */
@PageController
public class AuditPages {
    private static final int RECORDS = 100;

    /**
     * The filter of the page.
     *
     * @param actor text in the actor's name or ID
     * @param action one of them, or the part of one before its dot
     * @param object text in the object
     * @param from the first day, UTC
     * @param until the last day, UTC
     */
    public record AuditForm(String actor, String action, String object, String from, String until) {
        /** Absent fields are empty. */
        @SuppressWarnings("ConstantValue") // An address may leave out what must be there.
        public AuditForm {
            actor = actor == null ? "" : actor.strip();
            action = action == null ? "" : action.strip();
            object = object == null ? "" : object.strip();
            from = from == null ? "" : from.strip();
            until = until == null ? "" : until.strip();
        }

        AuditQuery query() {
            return new AuditQuery(actor, action, object, day("from", from, 0), day("until", until, 1));
        }

        private static @Nullable Instant day(String name, String text, int more) {
            if (text.isEmpty()) {
                return null;
            }
            try {
                return LocalDate.parse(text).plusDays(more).atStartOfDay().toInstant(ZoneOffset.UTC);
            } catch (DateTimeParseException e) {
                throw new ProblemException(ProblemKind.BAD_REQUEST, "'" + name + "' is a day such as 2026-01-31", e);
            }
        }

        /** The filter as part of an address, which more parameters may follow. */
        public String address() {
            StringBuilder address = new StringBuilder();
            Stream.of(
                            Map.entry("actor", actor),
                            Map.entry("action", action),
                            Map.entry("object", object),
                            Map.entry("from", from),
                            Map.entry("until", until))
                    .filter(field -> !field.getValue().isEmpty())
                    .forEach(field -> address.append(field.getKey())
                            .append('=')
                            .append(Links.encoded(field.getValue()))
                            .append('&'));
            return address.toString();
        }
    }

    /**
     * The content of the page.
     *
     * @param records newest first
     * @param form the filter
     * @param actions that can be chosen
     */
    public record AuditPage(Page<AuditRecord> records, AuditForm form, List<String> actions) {
        /** Copies the actions. */
        public AuditPage {
            actions = List.copyOf(actions);
        }
    }

    private final Pages pages;
    private final AuditLog log;
    private final AuditExport export;

    AuditPages(@Lazy Pages pages, AuditLog log, AuditExport export) {
        this.pages = pages;
        this.log = log;
        this.export = export;
    }

    /** A state as the page shows it: JSON in lines. */
    public static String shown(Map<String, @Nullable Object> state) {
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(state);
    }

    /** Why a request was refused; null of changes. */
    public static @Nullable String reason(AuditRecord record) {
        return record.after() != null && record.after().get("reason") instanceof String reason ? reason : null;
    }

    @GetMapping("/ui/audit")
    ResponseEntity<byte[]> list(
            HttpServletRequest request,
            @ModelAttribute AuditForm form,
            @RequestParam(required = false) @Nullable Long after) {
        List<String> actions =
                Arrays.stream(AuditAction.values()).map(AuditAction::label).toList();
        AuditPage page = new AuditPage(log.list(form.query(), after, RECORDS), form, actions);
        return pages.page(request, "audit", "audit", page);
    }

    @GetMapping("/ui/audit/export")
    void export(@ModelAttribute AuditForm form, HttpServletResponse response) {
        export.send(form.query(), response);
    }
}
