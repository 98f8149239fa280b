package io.faasimage.registry;

import io.faasimage.registry.platform.config.StartFailure;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** A reporter of start failures: one line for the operator; Spring's own reports handle all others. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class StartFailureReporter implements SpringBootExceptionReporter {
    @Override
    public boolean reportException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StartFailure refused) {
                return report(String.valueOf(refused.getMessage()));
            }
            if (cause instanceof PortInUseException port) {
                return report("port " + port.getPort() + " is taken by another process;"
                        + " stop it, or choose another one with --server.port=PORT");
            }
        }
        return false;
    }

    private static boolean report(String message) {
        System.err.println("registry-service: " + message);
        return true;
    }
}
