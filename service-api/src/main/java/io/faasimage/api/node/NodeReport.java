package io.faasimage.api.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.FieldChecks;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node's periodic report: body of {@code PUT /v1/nodes/{name}}.
 *
 * @param instance names the agent's process: another one after each restart
 * @param version of the agent
 * @param startedAt when the process began
 * @param mounts how planned images are mounted
 * @param problem why planned images are not used at all; null when they are
 * @param store the objects on the node
 * @param plans on the node
 * @param heldObjects objects of prefetch lists that were there when a pull looked, since the process began
 * @param pulledObjects objects that pulls fetched, since then
 * @param demandedObjects objects that were fetched because they were read, since then
 * @param starts by class since then
 * @param waiting records of starts that wait to be sent
 * @param lost records of starts that gave way to newer ones before they could be sent
 * @param events newest events that have not been reported yet, {@value #MAX_EVENTS} at most
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeReport(
        String instance,
        String version,
        Instant startedAt,
        @Nullable String mounts,
        @Nullable String problem,
        Store store,
        long plans,
        long heldObjects,
        long pulledObjects,
        long demandedObjects,
        Map<StartKind, Long> starts,
        long waiting,
        long lost,
        List<NodeEvent> events) {
    /** Most events of one report. */
    public static final int MAX_EVENTS = 50;

    /** Checks the limits, and copies the collections; absent ones are empty. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public NodeReport {
        store = store == null ? new Store(0, 0, null) : store;
        starts = starts == null ? Map.of() : Map.copyOf(starts);
        events = events == null ? List.of() : List.copyOf(events);
        FieldChecks.name("instance", instance);
        FieldChecks.needed("version", version);
        FieldChecks.text("version", version, 100);
        FieldChecks.moment("startedAt", startedAt);
        FieldChecks.text("mounts", mounts, 1000);
        FieldChecks.text("problem", problem, 1000);
        FieldChecks.atMost("events", events.size(), MAX_EVENTS);
        for (Long number : List.of(plans, heldObjects, pulledObjects, demandedObjects, waiting, lost)) {
            FieldChecks.range("plans, objects, waiting and lost", number, StartRecord.MOST_BYTES);
        }
        starts.values().forEach(count -> FieldChecks.range("starts", count, StartRecord.MOST_BYTES));
    }

    /**
     * The object store of a node.
     *
     * @param objects present
     * @param bytes of them
     * @param budget most bytes; null for no limit
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Store(long objects, long bytes, @Nullable Long budget) {
        /** Checks the limits. */
        public Store {
            FieldChecks.range("store.objects", objects, StartRecord.MOST_BYTES);
            FieldChecks.range("store.bytes", bytes, StartRecord.MOST_BYTES);
            FieldChecks.range("store.budget", budget, StartRecord.MOST_BYTES);
        }
    }

    /**
     * An event of a node.
     *
     * @param number counts the events of the process, from 1
     * @param at when
     * @param severity {@code info}, {@code fallback} or {@code error}
     * @param topic the part of the node it concerns
     * @param text one sentence
     */
    public record NodeEvent(long number, Instant at, EventInfo.Severity severity, String topic, String text) {
        /** Checks the limits. */
        public NodeEvent {
            FieldChecks.range("events.number", number, StartRecord.MOST_BYTES);
            FieldChecks.moment("events.at", at);
            FieldChecks.needed("events.severity", severity);
            FieldChecks.name("events.topic", topic);
            FieldChecks.needed("events.text", text);
            FieldChecks.text("events.text", text, 2000);
        }
    }
}
