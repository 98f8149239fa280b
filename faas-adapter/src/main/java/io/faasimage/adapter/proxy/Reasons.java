package io.faasimage.adapter.proxy;

import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import org.jspecify.annotations.Nullable;

/** Short texts for the reasons why a connection failed. */
final class Reasons {
    private Reasons() {}

    static String of(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> "it closed the connection before it answered";
            case ConnectTimeoutException _ -> "it did not accept the connection in time";
            case ConnectException _ -> "connection refused";
            default -> {
                String message = failure.getMessage();
                yield message == null ? failure.getClass().getSimpleName() : message;
            }
        };
    }
}
