package io.faasimage.api.trust;

import io.faasimage.api.trust.ClientCertificates.Pair;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A client's side of TLS: the authorities that it trusts, and the certificate that it presents. The files may be
 * replaced at any time: they are read again for the next connection, and an unreadable one leaves the last ones in use.
 * Thread-safe.
 */
public final class ClientTls {
    private static final Logger LOG = System.getLogger(ClientTls.class.getName());

    private final Optional<Path> authorities;
    private final Optional<Path> certificate;
    private final Optional<Path> key;
    private @Nullable SSLContext context;
    private List<FileTime> read = List.of();

    /**
     * The JVM's authorities besides those of a file, and a certificate with its key.
     *
     * @param authorities PEM file; the JVM's alone when empty
     * @param certificate PEM file of the certificate, followed by those that it was signed with; none when empty
     * @param key PEM file of its private key
     */
    public ClientTls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * The factory of connections, by the files as they are now.
     *
     * @throws IOException when they could never be read; the message is for the operator
     */
    public synchronized SSLSocketFactory sockets() throws IOException {
        SSLContext last = context;
        try {
            List<FileTime> now = modified();
            if (last == null || !now.equals(read)) {
                last = load();
                context = last;
                read = now;
            }
        } catch (IOException e) {
            if (last == null) {
                throw e;
            }
            LOG.log(Level.WARNING, "could not read certificates again, using the last ones: " + e.getMessage());
        }
        return last.getSocketFactory();
    }

    private List<FileTime> modified() throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (Path file : Stream.of(authorities, certificate, key)
                .flatMap(Optional::stream)
                .toList()) {
            try {
                times.add(Files.getLastModifiedTime(file));
            } catch (NoSuchFileException e) {
                throw new IOException("the file " + file + " does not exist", e);
            }
        }
        return times;
    }

    private SSLContext load() throws IOException {
        try {
            if (authorities.isEmpty() && certificate.isEmpty()) {
                return SSLContext.getDefault();
            }
            TrustedAuthorities trusted = authorities.isPresent()
                    ? TrustedAuthorities.with(authorities.get())
                    : TrustedAuthorities.ofThisJvm();
            return certificate.isPresent() && key.isPresent()
                    ? trusted.context(ClientCertificates.read(List.of(new Pair(certificate.get(), key.get()))))
                    : trusted.context();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("no TLS in this Java: " + e.getMessage(), e);
        }
    }
}
