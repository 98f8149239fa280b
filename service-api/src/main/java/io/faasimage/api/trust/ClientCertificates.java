package io.faasimage.api.trust;

import io.faasimage.format.FormatException;
import io.faasimage.format.pem.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Reads the certificates that a client presents in TLS. Stateless. */
public final class ClientCertificates {
    private static final Logger LOG = System.getLogger(ClientCertificates.class.getName());
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = new char[0];

    private ClientCertificates() {}

    /**
     * A certificate in files.
     *
     * @param certificate PEM file of the certificate, followed by those that it was signed with
     * @param key PEM file of its private key; may be the same file
     */
    public record Pair(Path certificate, Path key) {}

    /**
     * The certificates with their keys; a server's request decides which of them is presented.
     *
     * @throws IOException when one cannot be read; the message is for the operator
     */
    public static KeyManager[] read(List<Pair> pairs) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < pairs.size(); i++) {
                add(store, "client" + i, pairs.get(i));
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException("could not set up the client's side of TLS: " + e.getMessage(), e);
        }
    }

    private static void add(KeyStore store, String name, Pair pair) throws IOException {
        try {
            PrivateKey key = privateKey(pair.key());
            store.setKeyEntry(name, key, NO_PASSWORD, chain(pair.certificate()).toArray(Certificate[]::new));
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "the certificate in " + pair.certificate() + " and the key in " + pair.key() + " cannot be used: "
                            + e.getMessage(),
                    e);
        }
    }

    private static List<Certificate> chain(Path file) throws IOException, GeneralSecurityException {
        List<Certificate> chain = new ArrayList<>();
        // The factory's own reader of PEM fails at a key beside the certificate.
        for (byte[] der : blocks(file, Pem.CERTIFICATE)) {
            chain.add(CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        }
        if (chain.isEmpty()) {
            throw new IOException(file + " has no certificate; it must be PEM");
        }
        return chain;
    }

    private static PrivateKey privateKey(Path file) throws IOException, NoSuchAlgorithmException {
        List<byte[]> blocks = blocks(file, Pem.PRIVATE_KEY);
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

    private static List<byte[]> blocks(Path file, String label) throws IOException {
        try {
            return Pem.blocks(Files.readString(file, StandardCharsets.ISO_8859_1), label);
        } catch (FormatException e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
    }
}
