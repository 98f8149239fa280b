package io.faasimage.registry.signature;

import io.faasimage.format.pem.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/** An authority with an EC key, made by openssl in a directory. */
final class TestAuthority {
    private final Path directory;
    private final String name;

    private TestAuthority(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    /** A signer's certificate and its private key. */
    record Signer(X509Certificate certificate, PrivateKey key) {
        byte[] sign(String algorithm, byte[] message) throws GeneralSecurityException {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        }

        String pem() throws GeneralSecurityException {
            return Pem.text("CERTIFICATE", certificate.getEncoded());
        }
    }

    static TestAuthority create(Path directory, String name) throws Exception {
        TestAuthority authority = new TestAuthority(directory, name);
        Files.writeString(directory.resolve(name + ".index"), "");
        Files.writeString(directory.resolve(name + ".serial"), "01\n");
        Files.writeString(directory.resolve(name + ".cnf"), """
                [ca]
                default_ca = it
                [it]
                database = %s.index
                serial = %s.serial
                new_certs_dir = .
                default_md = sha256
                unique_subject = no
                policy = any
                [any]
                countryName = optional
                organizationName = optional
                commonName = optional
                """.formatted(name, name));
        authority.certificate(
                name,
                "/CN=" + name,
                "20200101000000Z",
                "20991231000000Z",
                "-selfsign",
                List.of("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"));
        return authority;
    }

    /** Issues a certificate for code signing, valid for the times (YYYYMMDDhhmmssZ). */
    Signer issue(String signer, String subject, String from, String until, String... extensions) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "basicConstraints=critical,CA:FALSE",
                "keyUsage=critical,digitalSignature",
                "extendedKeyUsage=codeSigning"));
        lines.addAll(List.of(extensions));
        certificate(signer, subject, from, until, "-cert " + name + ".crt", lines);
        return new Signer(certificate(signer), privateKey(signer));
    }

    /** The certificate of an authority, in PEM. */
    Path file() {
        return directory.resolve(name + ".crt");
    }

    private void certificate(
            String of, String subject, String from, String until, String options, List<String> extensions)
            throws IOException, InterruptedException {
        key(of);
        openssl("req -new -key " + of + ".key -subj " + subject + " -out " + of + ".csr");
        Files.write(directory.resolve(of + ".ext"), extensions);
        openssl("ca -batch -notext -preserveDN -config " + name + ".cnf -keyfile " + name + ".key "
                + options
                + " -in " + of + ".csr -out " + of + ".crt -startdate " + from + " -enddate " + until + " -extfile "
                + of + ".ext");
    }

    private void key(String of) throws IOException, InterruptedException {
        openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out " + of + ".key");
    }

    private X509Certificate certificate(String of) throws Exception {
        byte[] der = Pem.blocks(Files.readString(directory.resolve(of + ".crt")), "CERTIFICATE")
                .getFirst();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    private PrivateKey privateKey(String of) throws Exception {
        byte[] der = Pem.blocks(Files.readString(directory.resolve(of + ".key")), Pem.PRIVATE_KEY)
                .getFirst();
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    private void openssl(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments.split(" ")));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + said);
        }
    }
}
