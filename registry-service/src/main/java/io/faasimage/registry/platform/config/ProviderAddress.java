package io.faasimage.registry.platform.config;

import java.net.InetAddress;
import java.net.URI;

/** The rule for addresses of issuers: HTTPS, or plain HTTP on this machine. */
public final class ProviderAddress {
    private ProviderAddress() {}

    /**
     * The address that the text is.
     *
     * @throws IllegalArgumentException when it is none, or others on the way could change its answers
     */
    public static URI parse(String text) {
        URI address = URI.create(text);
        boolean safe = "https".equals(address.getScheme()) || ("http".equals(address.getScheme()) && isHere(address));
        if (!safe
                || address.getHost() == null
                || address.getRawUserInfo() != null
                || address.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "'" + text + "' must be an https:// address, or http:// on this machine");
        }
        return address;
    }

    /** By the loopback addresses and their name: the address of another name can change. */
    private static boolean isHere(URI address) {
        String host = String.valueOf(address.getHost());
        if (host.equals("localhost")) {
            return true;
        }
        try {
            String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return InetAddress.ofLiteral(literal).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
