package io.faasimage.refactor.image;

import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.host.HostRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A check of a registry's certificate before jib connects: jib tries a registry that it does not trust again for a
 * minute, as if it were busy. Whatever else fails here fails again with jib, and is reported from there.
 */
final class RegistryTrust {
    private static final int LIMIT_MILLIS = 5_000;
    private static final int HTTPS_PORT = 443;

    private RegistryTrust() {}

    /**
     * Checks the certificate of a registry that is spoken to over TLS, without a proxy.
     *
     * @throws RefactorException when no authority that this process trusts has signed it
     */
    static boolean check(ImageReference reference, String registry, HostRules rules) throws RefactorException {
        if (System.getProperty("https.proxyHost") != null) {
            return true;
        }
        Host host = Host.parse(registry);
        int port = host.port() < 0 ? HTTPS_PORT : host.port();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(rules.resolve(host.name())[0], port), LIMIT_MILLIS);
            plain.setSoTimeout(LIMIT_MILLIS);
            SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (SSLSocket tls = (SSLSocket) sockets.createSocket(plain, host.name(), port, true)) {
                tls.startHandshake();
            }
        } catch (SSLHandshakeException e) {
            if (isUntrusted(e)) {
                throw new RefactorException(
                        Kind.INVALID,
                        "could not trust " + reference.registry() + ", which has " + reference + ": " + e.getMessage()
                                + "; if it is the right one, give the file with its certificate authority"
                                + " (registry-service: --faasimage.registry-ca=FILE)",
                        e);
            }
        } catch (IOException e) {
            // Reported by jib's own request.
        }
        return true;
    }

    private static boolean isUntrusted(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
