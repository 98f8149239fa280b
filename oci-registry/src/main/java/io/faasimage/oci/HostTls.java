package io.faasimage.oci;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The TLS of one host of a registry.
 *
 * @param given whether the administrator set anything of it
 * @param skipsVerification whether the host, and those that it leads to, may have any certificate
 * @param verified of connections that are verified; the client's own when empty
 * @param unverified of connections that are not; one that presents no certificate when empty
 */
public record HostTls(
        boolean given, boolean skipsVerification, Optional<SSLContext> verified, Optional<SSLContext> unverified) {
    /** Nothing is set. */
    public static final HostTls USUAL = new HostTls(false, false, Optional.empty(), Optional.empty());
}
