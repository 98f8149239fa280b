package io.faasimage.oci;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;

/** A range of addresses that are not the Internet's. */
public enum AddressRange {
    /** 127.0.0.0/8, ::1, and the unspecified address, which reaches this machine, too. */
    LOOPBACK {
        @Override
        boolean has(InetAddress address) {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || (address instanceof Inet4Address && address.getAddress()[0] == 0);
        }
    },
    /** 169.254.0.0/16 with the metadata services of clouds, and fe80::/10. */
    LINK_LOCAL {
        @Override
        boolean has(InetAddress address) {
            return address.isLinkLocalAddress();
        }
    },
    /** RFC 1918, the shared 100.64.0.0/10, fc00::/7 and fec0::/10. */
    PRIVATE {
        @Override
        boolean has(InetAddress address) {
            byte[] bytes = address.getAddress();
            boolean shared = address instanceof Inet4Address && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
            boolean uniqueLocal = address instanceof Inet6Address && (bytes[0] & 0xfe) == 0xfc;
            return address.isSiteLocalAddress() || shared || uniqueLocal;
        }
    };

    private static final int IPV4_BYTES = 4;

    /** 64:ff9b::/96, which a translator maps to IPv4 (RFC 6052). */
    private static final byte[] TRANSLATED = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};

    abstract boolean has(InetAddress address);

    /** Whether the address, or the one of IPv4 inside of it, is in the range. */
    public boolean contains(InetAddress address) {
        return has(address) || has(inner(address));
    }

    private static InetAddress inner(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return address;
        }
        byte[] head = Arrays.copyOf(bytes, TRANSLATED.length);
        boolean sixToFour = bytes[0] == 0x20 && bytes[1] == 0x02;
        boolean atTheEnd = Arrays.equals(head, TRANSLATED) || Arrays.equals(head, new byte[TRANSLATED.length]);
        if (!sixToFour && !atTheEnd) {
            return address;
        }
        int at = sixToFour ? 2 : TRANSLATED.length;
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + IPV4_BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** The form in settings and messages. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
