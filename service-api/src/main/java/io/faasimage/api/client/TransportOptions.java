package io.faasimage.api.client;

import io.faasimage.api.option.Option;
import io.faasimage.api.trust.ClientTls;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options of the connection to the service: the authorities that a client trusts, and its own certificate.
 *
 * @param authorities PEM file of certificate authorities, besides the JVM's own
 * @param certificate PEM file of the client's certificate and of those that it was signed with
 * @param key PEM file of its private key, in PKCS #8
 * @param name that the service's certificate must have; that of its address when empty
 * @param insecure whether tokens may be sent to another machine without TLS
 */
public record TransportOptions(
        Optional<Path> authorities,
        Optional<Path> certificate,
        Optional<Path> key,
        Optional<String> name,
        boolean insecure) {
    /** The JVM's authorities, and no certificate. */
    public static final TransportOptions USUAL =
            new TransportOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** The option of a command line for each; the programs that have them take over name and help. */
    public enum Names implements Option {
        SERVICE_CA(
                "--service-ca",
                "FILE",
                "PEM file with certificate authorities of registry-service, in addition to the JVM's own; read again"
                        + " when it changes"),
        SERVICE_CERT(
                "--service-cert",
                "FILE",
                "PEM file with a certificate that this program presents to registry-service; read again when it"
                        + " changes"),
        SERVICE_KEY("--service-key", "FILE", "PEM file with its private key (PKCS #8, not encrypted)"),
        SERVICE_NAME(
                "--service-name",
                "NAME",
                "name that registry-service's certificate must have (default: the one in its address)"),
        INSECURE(
                "--insecure",
                "yes|no",
                "whether the token may be sent to another machine over plain HTTP, where others can read it"
                        + " (default no)");

        private final String option;
        private final String value;
        private final String help;

        Names(String option, String value, String help) {
            this.option = option;
            this.value = value;
            this.help = help;
        }

        @Override
        public String option() {
            return option;
        }

        @Override
        public String value() {
            return value;
        }

        @Override
        public String help() {
            return help;
        }
    }

    /** Checks that certificate and key come together. */
    public TransportOptions {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("a client certificate and its private key need each other");
        }
    }

    /** As given on a command line. */
    public static TransportOptions of(
            Optional<String> authorities,
            Optional<String> certificate,
            Optional<String> key,
            Optional<String> name,
            Optional<String> insecure) {
        String text = insecure.orElse("no");
        if (!text.equals("yes") && !text.equals("no")) {
            throw new IllegalArgumentException(Names.INSECURE.option() + " must be yes or no, not '" + text + "'");
        }
        return new TransportOptions(
                authorities.map(Path::of), certificate.map(Path::of), key.map(Path::of), name, text.equals("yes"));
    }

    /** A client's side of TLS by these options, without any connections yet. */
    ClientTls tls() {
        return new ClientTls(authorities, certificate, key);
    }

    /** As a command line of another program. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        authorities.ifPresent(file -> add(arguments, Names.SERVICE_CA, file.toAbsolutePath()));
        certificate.ifPresent(file -> add(arguments, Names.SERVICE_CERT, file.toAbsolutePath()));
        key.ifPresent(file -> add(arguments, Names.SERVICE_KEY, file.toAbsolutePath()));
        name.ifPresent(text -> add(arguments, Names.SERVICE_NAME, text));
        if (insecure) {
            add(arguments, Names.INSECURE, "yes");
        }
        return arguments;
    }

    private static void add(List<String> arguments, Option option, Object value) {
        arguments.add(option.option());
        arguments.add(value.toString());
    }

    /**
     * Fails when a token would go to another machine over plain HTTP.
     *
     * @param remedy the program's own option that permits it
     * @throws IllegalArgumentException whose message names the address and the remedies
     */
    public void check(List<URI> addresses, String remedy) {
        if (insecure) {
            return;
        }
        for (URI address : addresses) {
            if ("http".equals(address.getScheme()) && !isThisMachine(address)) {
                throw new IllegalArgumentException("the token is not sent to " + address
                        + ": without TLS, others on the way can read it. Use https://, or accept that with " + remedy);
            }
        }
    }

    /** Only by loopback addresses and their name: another name's address can change. */
    private static boolean isThisMachine(URI address) {
        String host = String.valueOf(address.getHost());
        if (host.equals("localhost") || host.endsWith(".localhost")) {
            return true;
        }
        try {
            String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return InetAddress.ofLiteral(literal).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
