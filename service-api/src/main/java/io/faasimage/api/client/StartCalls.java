package io.faasimage.api.client;

import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartSummary;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that concern starts of containers. Blocking, thread-safe. */
public final class StartCalls {
    private final ServiceCalls calls;

    StartCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** Reports starts; each is kept once, however often it is sent. */
    public StartBatch.Taken report(String node, StartBatch starts) throws IOException {
        String path = "/v1/nodes/" + ServiceCalls.segment(node) + "/starts";
        return calls.read(
                calls.send(calls.post(path, calls.json(starts), "application/json")),
                new TypeReference<StartBatch.Taken>() {});
    }

    /**
     * A part of the list of starts, newest first; {@code filters} as in REST: image, function, node, class, cold,
     * after, limit.
     */
    public Page<StartSummary> list(Map<String, String> filters) throws IOException {
        return calls.read(
                calls.send(calls.get("/v1/starts" + ServiceCalls.query(filters))),
                new TypeReference<Page<StartSummary>>() {});
    }

    /** One start. */
    public StartDetail get(String id) throws IOException {
        return calls.read(
                calls.send(calls.get("/v1/starts/" + ServiceCalls.segment(id))), new TypeReference<StartDetail>() {});
    }

    /** Starts by hour; {@code filters} as in REST: image, function or node, from, until. */
    public List<StartHour> series(Map<String, String> filters) throws IOException {
        return calls.read(
                calls.send(calls.get("/v1/starts/series" + ServiceCalls.query(filters))),
                new TypeReference<List<StartHour>>() {});
    }
}
