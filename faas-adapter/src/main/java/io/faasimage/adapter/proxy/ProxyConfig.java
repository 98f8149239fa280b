package io.faasimage.adapter.proxy;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The settings of the proxy.
 *
 * @param listen where the gateway connects
 * @param provider where the provider listens
 * @param threads event loops
 * @param maxClients client connections at the same time; more are answered with 503
 * @param connectTimeout for a connection to the provider
 * @param clientIdle how long a client connection may be silent between requests
 * @param exchangeIdle how long an exchange may be silent in both directions
 * @param drain how long exchanges may take to end when the proxy stops
 */
public record ProxyConfig(
        InetSocketAddress listen,
        ProviderAddress provider,
        int threads,
        int maxClients,
        Duration connectTimeout,
        Duration clientIdle,
        Duration exchangeIdle,
        Duration drain) {
    /** Checks the limits. */
    public ProxyConfig {
        if (threads < 1 || maxClients < 1) {
            throw new IllegalArgumentException("the proxy needs at least one thread and one client connection");
        }
        for (Duration limit : new Duration[] {connectTimeout, clientIdle, exchangeIdle}) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("the proxy's time limits must be positive, not " + limit);
            }
        }
    }
}
