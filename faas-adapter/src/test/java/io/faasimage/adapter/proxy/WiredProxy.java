package io.faasimage.adapter.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy whose provider is played by the test, byte by byte. */
final class WiredProxy implements AutoCloseable {
    final ServerSocket provider = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<Integer> statuses = new CopyOnWriteArrayList<>();
    final ProxyServer proxy;

    WiredProxy() throws IOException {
        this(Duration.ofMinutes(5));
    }

    WiredProxy(Duration exchangeIdle) throws IOException {
        provider.setSoTimeout(20_000);
        proxy = new ProxyServer(
                config(provider.getLocalPort(), exchangeIdle),
                (method, uri, authorization) -> Optional.empty(),
                new ExchangeMeters() {
                    @Override
                    public void ended(String method, String uri, int status, long nanos) {
                        statuses.add(status);
                    }

                    @Override
                    public void providerFailed(String reason) {
                        failures.add(reason);
                    }
                });
    }

    static ProxyConfig config(int providerPort, Duration exchangeIdle) {
        return new ProxyConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ProviderAddress("127.0.0.1", providerPort),
                1,
                100,
                Duration.ofSeconds(2),
                Duration.ofMinutes(1),
                exchangeIdle,
                Duration.ofMillis(100));
    }

    Wire client() throws IOException {
        return Wire.connect(proxy.address().getPort());
    }

    Wire accept() throws IOException {
        return new Wire(provider.accept());
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        provider.close();
    }
}
