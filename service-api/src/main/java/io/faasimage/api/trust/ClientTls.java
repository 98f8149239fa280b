package io.faasimage.api.trust;

import io.faasimage.format.FormatException;
import io.faasimage.format.pem.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
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
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

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
                    ? trusted.context(keys(certificate.get(), key.get()))
                    : trusted.context();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("no TLS in this Java: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(Path certificate, Path key) throws IOException {
        char[] none = new char[0];
        try {
            Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)));
            if (chain.isEmpty()) {
                throw new IOException(certificate + " has no certificate; it must be PEM");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("client", privateKey(key), none, chain.toArray(Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, none);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "the certificate in " + certificate + " and the key in " + key + " cannot be used: "
                            + e.getMessage(),
                    e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, NoSuchAlgorithmException {
        List<byte[]> blocks;
        try {
            blocks = Pem.blocks(Files.readString(file, StandardCharsets.ISO_8859_1), Pem.PRIVATE_KEY);
        } catch (FormatException e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
        if (blocks.size() != 1) {
            throw new IOException(file + " must have one -----BEGIN PRIVATE KEY-----, not " + blocks.size()
                    + "; 'openssl pkcs8 -topk8 -nocrypt' makes it of other forms");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(blocks.getFirst()));
            } catch (InvalidKeySpecException e) {
                LOG.log(Level.DEBUG, "not a key of " + algorithm, e);
            }
        }
        throw new IOException(file + " has a private key of none of " + String.join(", ", ALGORITHMS));
    }
}
