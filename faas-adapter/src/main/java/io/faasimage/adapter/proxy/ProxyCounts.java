package io.faasimage.adapter.proxy;

import java.util.concurrent.atomic.AtomicInteger;

/** The numbers of open connections and exchanges. Thread-safe. */
public final class ProxyCounts {
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger exchanges = new AtomicInteger();

    /** Client connections. */
    public int clients() {
        return clients.get();
    }

    /** Requests that are not yet answered to the end. */
    public int exchanges() {
        return exchanges.get();
    }

    int clientOpened() {
        return clients.incrementAndGet();
    }

    void clientClosed() {
        clients.decrementAndGet();
    }

    void exchangeBegun() {
        exchanges.incrementAndGet();
    }

    void exchangeEnded() {
        exchanges.decrementAndGet();
    }
}
