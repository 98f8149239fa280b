package io.faasimage.node.agent.control;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.node.pull.Demand;
import java.io.IOException;

/**
 * The operation of {@code objects.sock}, where the gate requests objects: fetches one, or waits for a running fetch.
 * Sends events meanwhile. Thread-safe.
 */
public final class ObjectControl {
    /** Most look-ups that wait at a time. */
    public static final int WAITING = 1024;

    private final Demand demand;

    /** Objects by {@code demand}. */
    public ObjectControl(Demand demand) {
        this.demand = demand;
    }

    /** For a server of {@code objects.sock}. */
    public ControlHandlers handlers() {
        return new ControlHandlers().on(ObjectOperations.FETCH, (request, events) -> {
            if (!request.object().equals(ObjectOperations.WARM_UP)) {
                fetch(request.object(), () -> events.accept(new Empty()));
            }
            return new Empty();
        });
    }

    void fetch(Digest digest, Runnable alive) throws IOException {
        demand.fetch(digest, alive);
    }
}
