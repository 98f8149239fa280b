package io.faasimage.gate.protocol;

import java.io.IOException;

/** A failure to parse bytes as a request of the FUSE protocol. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
