package io.faasimage.api.control.object;

import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;

/** The operation of {@code objects.sock}. */
public final class ObjectOperations {
    /** Fetches an object into the store; events report that the fetch is under way. */
    public static final Operation<FetchRequest, Empty, Empty> FETCH =
            new Operation<>("fetch", FetchRequest.CODEC, Empty.saying("alive"), Empty.saying("held"));

    /**
     * An object that is nowhere. The agent answers a request for it at once: look-ups of it warm up both processes, and
     * fetch nothing.
     */
    public static final Digest WARM_UP = Digest.of("faasimage warm-up".getBytes(StandardCharsets.US_ASCII));

    private ObjectOperations() {}
}
