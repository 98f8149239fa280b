package io.faasimage.system;

import io.faasimage.api.client.TransportOptions;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Certificates of a service and its clients that openssl makes, with an authority of their own.
 *
 * @param dir with all files
 */
record Certificates(Path dir) {
    /** Name of the clients: that of a node. */
    static final String NODE = "tls-node";

    /** Makes all of them. */
    static Certificates make(Path dir) throws IOException, InterruptedException {
        Certificates made = new Certificates(dir);
        made.openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority"
                + " -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.pem");
        made.renewService();
        made.renewClient();
        return made;
    }

    private void openssl(String arguments) throws IOException, InterruptedException {
        Shell.run("sh", "-c", "cd '" + dir + "' && openssl " + arguments).ok();
    }

    /** Another certificate of the service, which takes the place of the last one; its serial number. */
    String renewService() throws IOException, InterruptedException {
        return renew("service", "/CN=service", "subjectAltName=IP:127.0.0.1,DNS:service.test");
    }

    /** Another certificate of the clients, which takes the place of the last one. */
    void renewClient() throws IOException, InterruptedException {
        String _ = renew("client", "/OU=node/CN=" + NODE, "extendedKeyUsage=clientAuth");
    }

    private String renew(String name, String subject, String extension) throws IOException, InterruptedException {
        openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj " + subject + " -addext " + extension
                + " -keyout new.key -out new.csr");
        openssl("x509 -req -in new.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy"
                + " -out new.pem");
        Files.move(dir.resolve("new.key"), dir.resolve(name + ".key"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(dir.resolve("new.pem"), dir.resolve(name + ".pem"), StandardCopyOption.REPLACE_EXISTING);
        return serial("x509 -noout -serial -in " + name + ".pem");
    }

    /** The serial number of the certificate that the service presents at {@code address} now; empty without one. */
    String presented(String address) throws IOException, InterruptedException {
        return serial("s_client -connect " + address + " -CAfile ca.pem -cert client.pem -key client.key < /dev/null"
                + " 2> /dev/null | openssl x509 -noout -serial");
    }

    private String serial(String arguments) throws IOException, InterruptedException {
        return Shell.run("sh", "-c", "cd '" + dir + "' && openssl " + arguments)
                .out()
                .strip();
    }

    /** The service accepts only clients with a certificate of the authority. */
    List<String> serviceOptions() {
        String bundle = "--spring.ssl.bundle.pem.service.";
        return List.of(
                "--server.ssl.bundle=service",
                "--server.ssl.client-auth=need",
                "--faasimage.tokens.client-ca=" + dir.resolve("ca.pem"),
                bundle + "reload-on-update=true",
                bundle + "keystore.certificate=" + dir.resolve("service.pem"),
                bundle + "keystore.private-key=" + dir.resolve("service.key"),
                bundle + "truststore.certificate=" + dir.resolve("ca.pem"));
    }

    TransportOptions transport() {
        return new TransportOptions(
                Optional.of(dir.resolve("ca.pem")),
                Optional.of(dir.resolve("client.pem")),
                Optional.of(dir.resolve("client.key")),
                Optional.empty(),
                false);
    }

    /** Of the {@code faasimage} command. */
    Map<String, String> environment() {
        return Map.of(
                "FAASIMAGE_CA",
                dir.resolve("ca.pem").toString(),
                "FAASIMAGE_CERT",
                dir.resolve("client.pem").toString(),
                "FAASIMAGE_KEY",
                dir.resolve("client.key").toString());
    }
}
