package io.faasimage.api.control.object;

import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;

/** The operation of {@code objects.sock}. */
public final class ObjectOperations {
    /** Brings an object into the store; events say that it goes on. */
    public static final Operation<FetchRequest, Empty, Empty> FETCH =
            new Operation<>("fetch", FetchRequest.CODEC, Empty.saying("alive"), Empty.saying("held"));

    private ObjectOperations() {}
}
