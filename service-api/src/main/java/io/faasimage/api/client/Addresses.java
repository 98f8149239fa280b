package io.faasimage.api.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one service in the order in which they are tried: as configured, but those that failed a moment ago
 * last. Thread-safe.
 */
final class Addresses {
    private static final long AVOIDED_NANOS = Duration.ofSeconds(30).toNanos();

    private final List<Address> all;
    private final LongSupplier nanoTime;

    /** One address, and when it last failed. */
    static final class Address {
        private final URI base;
        private final Connections<URI> connections;
        private volatile @Nullable Long failedAt;

        private Address(URI base, Connections<URI> connections) {
            this.base = base;
            this.connections = connections;
        }

        Connections<URI> connections() {
            return connections;
        }

        URI base() {
            return base;
        }

        URI uri(String path) {
            String text = base.toString();
            return URI.create((text.endsWith("/") ? text.substring(0, text.length() - 1) : text) + path);
        }
    }

    Addresses(ServiceConfig config, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.all = config.addresses().stream()
                .map(base -> new Address(base, connections(config)))
                .toList();
    }

    static Connections<URI> connections(ServiceConfig config) {
        return new Connections<>(
                server -> dial(server, config), config.answerTimeout(), config.silence(), config.rate());
    }

    private static Line dial(URI server, ServiceConfig config) throws IOException {
        boolean secure = "https".equals(server.getScheme());
        int port = server.getPort() >= 0 ? server.getPort() : secure ? 443 : 80;
        Line line = Line.connect(new InetSocketAddress(server.getHost(), port), config.connectTimeout());
        String name = config.transport().name().orElse(server.getHost());
        return secure ? line.secured(config.tls().sockets(), name, false, config.connectTimeout()) : line;
    }

    /** All addresses, the one to try first in front. */
    List<Address> inOrder() {
        if (all.size() == 1) {
            return all;
        }
        List<Address> ordered = new ArrayList<>(
                all.stream().filter(address -> !isAvoided(address)).toList());
        all.stream().filter(address -> !ordered.contains(address)).forEach(ordered::add);
        return ordered;
    }

    private boolean isAvoided(Address address) {
        Long at = address.failedAt;
        return at != null && nanoTime.getAsLong() - at < AVOIDED_NANOS;
    }

    void failed(Address address) {
        address.failedAt = nanoTime.getAsLong();
    }

    void succeeded(Address address) {
        address.failedAt = null;
    }

    void close() {
        all.forEach(address -> address.connections().close());
    }
}
