package io.faasimage.format.id;

import java.util.Locale;

/**
 * A host as image references name it.
 *
 * @param name in lower case, without the brackets of an IPv6 address
 * @param port -1 when none is given
 */
public record Host(String name, int port) {
    /** Normalises the name. */
    public Host {
        String bare = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        name = bare.toLowerCase(Locale.ROOT);
    }

    /** A host, with its port if it is given. */
    public static Host parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']') && colon >= 0;
        return hasPort
                ? new Host(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)))
                : new Host(text, -1);
    }

    /** Whether the name itself says that it is this machine. */
    public boolean isLoopback() {
        return name.equals("localhost") || name.matches("127(?:\\.[0-9]{1,3}){3}") || name.equals("::1");
    }

    @Override
    public String toString() {
        return (name.contains(":") ? "[" + name + "]" : name) + (port < 0 ? "" : ":" + port);
    }
}
