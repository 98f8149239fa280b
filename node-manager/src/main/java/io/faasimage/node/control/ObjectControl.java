package io.faasimage.node.control;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.node.pull.Demand;
import java.io.IOException;

/**
 * What the node agent does for the operation of {@code objects.sock}, at which the gate asks: it fetches an object,
 * wherever it is on its way. Sends events while it goes on. Thread-safe.
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
