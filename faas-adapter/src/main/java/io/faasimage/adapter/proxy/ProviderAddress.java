package io.faasimage.adapter.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Host and port of the provider. Names are resolved by {@link #refresh} alone, never on an event loop. Thread-safe. */
public final class ProviderAddress {
    private final String host;
    private final int port;
    private final AtomicReference<@Nullable InetSocketAddress> resolved = new AtomicReference<>();

    /** The provider at {@code host:port}; unknown until {@link #refresh}. */
    public ProviderAddress(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Looks the name up; keeps the last address when that fails. Blocking. */
    public void refresh() throws UnknownHostException {
        resolved.set(new InetSocketAddress(InetAddress.getByName(host), port));
    }

    /** The address to connect to now; empty when the name has never been resolved. */
    Optional<InetSocketAddress> now() {
        return Optional.ofNullable(resolved.get());
    }

    /** As it is written in a Host header. */
    @Override
    public String toString() {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }
}
