package io.faasimage.node.link.service;

import java.io.IOException;

/** The service has requested a pause that is not over. */
public final class ServiceBusyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ServiceBusyException(String message) {
        super(message);
    }

    /** With the reason and the answer behind it. */
    public ServiceBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
