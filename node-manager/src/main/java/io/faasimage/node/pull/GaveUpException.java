package io.faasimage.node.pull;

import java.io.IOException;

/** The service ended an answer with an error of its own. */
final class GaveUpException extends IOException {
    private static final long serialVersionUID = 1L;

    GaveUpException(String message) {
        super("the service failed: " + message);
    }
}
