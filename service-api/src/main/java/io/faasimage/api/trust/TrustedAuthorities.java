package io.faasimage.api.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authorities that this JVM trusts, by its own files or {@code javax.net.ssl.trustStore}, and those of
 * PEM files. Read once; immutable.
 */
public final class TrustedAuthorities {
    private final List<Certificate> certificates;

    private TrustedAuthorities(List<Certificate> certificates) {
        this.certificates = certificates;
    }

    /**
     * The JVM's authorities and those of {@code pem}.
     *
     * @throws IOException when the file is missing or has no certificate; the message is for the operator
     */
    public static TrustedAuthorities with(Path pem) throws IOException {
        return with(List.of(pem));
    }

    /** Variant with several files. */
    public static TrustedAuthorities with(List<Path> pems) throws IOException {
        try {
            List<Certificate> all = new ArrayList<>(jvm());
            for (Path pem : pems) {
                all.addAll(read(pem));
            }
            return new TrustedAuthorities(List.copyOf(all));
        } catch (GeneralSecurityException e) {
            throw new IOException("could not read the certificate authorities of this JVM: " + e.getMessage(), e);
        }
    }

    /** The JVM's authorities alone. */
    public static TrustedAuthorities ofThisJvm() throws IOException {
        try {
            return new TrustedAuthorities(List.copyOf(jvm()));
        } catch (GeneralSecurityException e) {
            throw new IOException("could not read the certificate authorities of this JVM: " + e.getMessage(), e);
        }
    }

    private static Collection<? extends Certificate> read(Path pem) throws IOException {
        Collection<? extends Certificate> found;
        try {
            found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(pem)));
        } catch (NoSuchFileException e) {
            throw new IOException("the file of certificate authorities " + pem + " does not exist", e);
        } catch (CertificateException e) {
            throw new IOException(pem + " has no readable certificate; it must be PEM: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IOException(pem + " has no certificate; it must be PEM, with -----BEGIN CERTIFICATE-----");
        }
        return found;
    }

    private static List<X509Certificate> jvm() throws GeneralSecurityException {
        return Arrays.stream(factory(null).getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
                .toList();
    }

    private static TrustManagerFactory factory(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private KeyStore store() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("ca" + i, certificates.get(i));
        }
        return store;
    }

    /** A TLS context that trusts them. */
    public SSLContext context() throws IOException {
        return context(new KeyManager[0]);
    }

    /** A TLS context that trusts them and presents a certificate of {@code keys}. */
    public SSLContext context(KeyManager[] keys) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, factory(store()).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("could not set up TLS: " + e.getMessage(), e);
        }
    }

    /** Writes them as a PKCS #12 trust store, for libraries that take {@code javax.net.ssl.trustStore} alone. */
    public void write(Path file, char[] password) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store().store(out, password);
        } catch (GeneralSecurityException e) {
            throw new IOException("could not write the trust store " + file + ": " + e.getMessage(), e);
        }
    }
}
