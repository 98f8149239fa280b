package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * The policy of one program about the hosts of registries, and its words for people. Refusals are
 * {@link RefusedHostException}s. Thread-safe.
 */
public interface HostPolicy {
    /** The protocol of a connection. */
    enum Protocol {
        /** HTTP. */
        PLAIN,
        /** HTTPS. */
        TLS,
        /** HTTPS with a certificate of whomever. */
        UNVERIFIED
    }

    /** Refuses a registry whose images may not be read. */
    default void checkAllowed(String registry) {}

    /** The protocols to try at a registry, in this order; not empty. */
    List<Protocol> protocols(Host registry);

    /** Refuses a host without TLS, to which {@code registry} leads. */
    default void checkPlain(Host host, Host registry) {}

    /** Whether a host to which {@code registry} leads may have any certificate. */
    default boolean isUnverified(Host host, Host registry) {
        return false;
    }

    /** The addresses of a host, all of which it may have. */
    default InetAddress[] resolve(String name) throws UnknownHostException {
        return InetAddress.getAllByName(name);
    }

    /** The end of the message about a failure, which says what a person can do; may be empty. */
    String remedy(OciException.Kind kind, String registry);
}
