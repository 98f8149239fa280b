package io.faasimage.adapter.config;

import java.net.InetSocketAddress;

/** An address to listen at. */
public final class ListenAddress {
    private ListenAddress() {}

    /** {@code HOST:PORT}, the host as a name, an IPv4 address or an IPv6 address in brackets. */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon < 1 || port < 0 || port > 65535) {
                throw wrong(text);
            }
            InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), port);
            if (address.isUnresolved()) {
                throw new IllegalArgumentException("faasimage.listen: the host of '" + text + "' cannot be resolved");
            }
            return address;
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "faasimage.listen must be HOST:PORT, such as 0.0.0.0:8083, not '" + text + "'");
    }
}
