package com.google.cloud.tools.jib.http;

import com.google.api.client.http.HttpTransport;
import com.google.cloud.tools.jib.api.LogEvent;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * jib's HTTP client with transports of its caller. jib has this constructor for its own tests only, so this class is in
 * its package.
 */
public class TransportClient extends FailoverHttpClient {
    /**
     * A client.
     *
     * @param plain whether it continues without verified TLS where a registry has none, with credentials
     * @param verifying makes transports that verify certificates
     * @param accepting makes transports that accept all
     */
    protected TransportClient(
            boolean plain,
            Consumer<LogEvent> log,
            Supplier<HttpTransport> verifying,
            Supplier<HttpTransport> accepting) {
        super(plain, plain, log, verifying, accepting, true);
    }
}
